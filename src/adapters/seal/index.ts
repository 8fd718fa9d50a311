export { checkRecipients, openSealed, sealFor } from './age.js';
export { commitmentSalt, commitTo } from './commitment.js';
export { ownIdentity, readIdentities, type OwnIdentity } from './identity-file.js';
