export { copyPlace, type CopyPlace } from './copy-place.js';
export { readCopyRecord, type CopyRecord } from './copy-record.js';
export { isDicomwebUrl, parseDicomwebUrl, type DicomwebUrl } from './dicomweb-url.js';
export { DicomwebFailure } from './failure.js';
export { fetchDicomweb, type DicomwebCopy, type FetchDeps, type FetchOptions } from './fetch-dicomweb.js';
