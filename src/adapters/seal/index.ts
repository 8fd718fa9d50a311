export { checkRecipients, openSealed, sealFor } from './age.js';
export { bundleSeal, commitmentSalt, commitTo } from './commitment.js';
export { ownIdentity, readIdentities, type OwnIdentity } from './identity-file.js';
