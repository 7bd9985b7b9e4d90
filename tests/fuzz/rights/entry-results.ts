import { type Answer, jsonOf } from '../server/send-request.ts';

/** The server's result for one entry of a POST. */
interface EntryResult {
  readonly event_id?: string;
  readonly sequence_num?: number;
  readonly duplicate?: boolean;
  readonly error?: { readonly type?: string };
}

/** Returns the server's result for each entry of a POST of a client or a worker. */
export function resultsOf(answer: Answer): readonly EntryResult[] {
  const { events, results } = jsonOf(answer);
  const list = events ?? results;
  return Array.isArray(list) ? (list as EntryResult[]) : [];
}
