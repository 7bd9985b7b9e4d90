import { encodeLine } from '@proto/core/framing';
import { loggedLine } from '@proto/transport-websocket';
import type { StreamFormat, Verdict } from '../stream/stream-format.ts';

/** Messages and nothing else, one a line: what published clients read. */
export const bareFormat: StreamFormat = {
  // The socket pings.
  keepalive: undefined,
  verdict: () => undefined,
  event: ({ payload }) => `${payload}\n`,
  replayed: ({ payload }) => `${payload}\n`,
  live: ({ event, payload }) => (event === 'ephemeral_event' ? `${payload}\n` : undefined),
};

/** The resumable mode, with the numbers of the log: a cursor means the same here and on an event stream. */
export const numberedFormat: StreamFormat = {
  keepalive: undefined,
  verdict: (cursor, verdict) => greeting(cursor, verdict),
  event: ({ sequence, source, payload }) => loggedLine(sequence, source, payload),
  replayed: ({ sequence, source, payload }) => loggedLine(sequence, source, payload),
  live({ event, data, payload }) {
    switch (event) {
      case 'ephemeral_event':
        return loggedLine(undefined, String(data['source']), String(payload));
      case 'catch_up_truncated':
        // A reader from elsewhere heard of it in the greeting.
        return isGap(data) ? greeting(0, { verdict: 'gap', reason: 'evicted', ...data }) : undefined;
      case 'session_archived':
        // The end of the link says that.
        return undefined;
      default:
        return noticeLine(event, data);
    }
  },
};

/** Says to a client of the resumable mode that a message is not taken. */
export function refusedLine(eventId: string | undefined, type: string): string {
  return noticeLine('message_refused', { event_id: eventId, error: { type } });
}

function noticeLine(event: string, data: object): string {
  return encodeLine({ event, data });
}

function greeting(cursor: number, verdict: Verdict): string {
  if (verdict.verdict === 'ok') return encodeLine({ ack: 0, from: cursor + 1 });
  const { reason, from, to } = verdict;
  return encodeLine({ ack: 0, from: reason === 'evicted' ? to + 1 : from, gap: { reason, from, to } });
}

function isGap(data: object): data is { readonly from: number; readonly to: number } {
  return 'from' in data && 'to' in data;
}
