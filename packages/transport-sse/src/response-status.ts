import { meaningOfStatus, type RetryMeaning } from '@proto/core/network';

const DONE: RetryMeaning = { action: 'done' };
/** The session has ended, and all its events have been read. */
const ENDED: RetryMeaning = { action: 'end' };
const NOTHING_YET: RetryMeaning = { action: 'retry' };

export function meaningOfStream(status: number): RetryMeaning {
  if (status === 200) return DONE;
  if (status === 410) return ENDED;
  return status === 204 ? NOTHING_YET : meaningOfStatus(status);
}

/** A server that refuses one POST may accept others. */
export function meaningOfPost(status: number): RetryMeaning {
  if (status >= 200 && status < 300) return DONE;
  const meaning = meaningOfStatus(status);
  const isOfMessage = meaning.action === 'permanent' && status >= 400 && status !== 404;
  return isOfMessage ? { ...meaning, action: 'refused' } : meaning;
}

/** A single 403 or 404 may be temporary, but many in a row are permanent. */
export function meaningOfReport(status: number): RetryMeaning {
  const meaning = meaningOfPost(status);
  if (status === 409) return { ...meaning, action: 'permanent' };
  return status === 403 || status === 404 ? { ...meaning, action: 'retry' } : meaning;
}

/** If a server has no transcripts, the session may still exist. */
export function meaningOfPage(status: number): RetryMeaning {
  const meaning = meaningOfReport(status);
  return status === 403 || status === 404 ? { ...meaning, action: 'refused' } : meaning;
}
