import { encodeLine } from '@proto/core/framing';
import { loggedLine, noticeLine } from '@proto/transport-websocket';
import { objectOf } from '../json/values.ts';
import type { StoredEvent } from '../log/event-log.ts';
import { answeredId } from '../session/control-requests.ts';
import { payloadOf, senderOf } from '../session/session-event.ts';
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
        return noticeLine(undefined, event, data);
    }
  },
};

/**
 * The same for viewers, who are not told what other clients answer, but that something is answered: under its number, so that a
 * viewer whose link was down hears of it as well.
 */
export const numberedViewerFormat: StreamFormat = {
  ...numberedFormat,
  event: (event) => resolutionLine(event) ?? numberedFormat.event(event),
  replayed: (event) => resolutionLine(event) ?? numberedFormat.replayed(event),
  live: (said) =>
    said.event === 'control_resolved' && said.data['outcome'] === 'answered' ? undefined : numberedFormat.live(said),
};

/** Whether an event is the answer of a client to what the worker has asked. */
export function isAnswerOfClient({ type, source }: StoredEvent): boolean {
  return type === 'control_response' && source !== 'worker';
}

function resolutionLine(event: StoredEvent): string | undefined {
  if (!isAnswerOfClient(event)) return undefined;
  const request_id = answeredId(objectOf(payloadOf(event))['response']);
  return noticeLine(event.sequence, 'control_resolved', { request_id, by: senderOf(event), outcome: 'answered' });
}

/** Says to a client of the resumable mode that a message is not taken. */
export function refusedLine(eventId: string | undefined, type: string): string {
  return noticeLine(undefined, 'message_refused', { event_id: eventId, error: { type } });
}

function greeting(cursor: number, verdict: Verdict): string {
  if (verdict.verdict === 'ok') return encodeLine({ ack: 0, from: cursor + 1 });
  const { reason, from, to } = verdict;
  return encodeLine({ ack: 0, from: reason === 'evicted' ? to + 1 : from, gap: { reason, from, to } });
}

function isGap(data: object): data is { readonly from: number; readonly to: number } {
  return 'from' in data && 'to' in data;
}
