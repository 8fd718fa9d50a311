export { inProcessQueue } from './in-process.js';
export type { Job, JobFunction, JobQueue, MapOptions } from './job-queue.js';
