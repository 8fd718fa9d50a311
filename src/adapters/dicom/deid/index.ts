export { copyDeidentified, type CopyOptions, type CopyResult } from './copy-file.js';
export { deidJob, type DeidJobInput } from './deid-job.js';
export { deidKey } from './deid-key.js';
export { detectBurnedInText, type BurnedInText, type TextBox } from './detect-burned-in-text.js';
export { gateJob, type GateInput, type GateResult } from './gate-job.js';
export { keyedNames, type KeyedNames } from './keyed-names.js';
export { KEEP_NAMES, parseKeep, type KeepName, type KeepOptions } from './options.js';
export { loadProfile } from './profile.js';
export { scanIdentifiers, type DeidScan, type IdentifierFinding } from './scan-identifiers.js';
