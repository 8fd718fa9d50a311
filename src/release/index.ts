export { scanForLeaks, type BundleFile } from './leak/scan.js';
export type { LeakHit, Needle, NeedleKind } from './leak/needle.js';
export { runRelease, type ReleaseDeps, type ReleaseInput, type ReleaseSummary } from './stage.js';
export { runVerify, type VerifyInput, type VerifyReport } from './verify-stage.js';
