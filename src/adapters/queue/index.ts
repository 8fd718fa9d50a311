export { inProcessQueue } from './in-process.js';
export type { Job, JobFunction, JobQueue } from './job-queue.js';
