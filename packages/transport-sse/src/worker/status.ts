import { classOfPost, type RetryClass } from '../status.ts';

/** What the status of a worker's report means. One 403 or 404 proves nothing; many in a row are permanent. */
export function classOfReport(status: number): RetryClass {
  if (status === 409) return 'permanent';
  return status === 403 || status === 404 ? 'retry' : classOfPost(status);
}
