import { encodeLine } from '@proto/core/framing';
import { loggedLine, noticeLine } from '@proto/transport-websocket';
import type { StoredEvent } from '../log/event-log.ts';
import { isAnswerOfClient, resolutionBy, type StreamFormat, type Verdict } from '../stream/stream-format.ts';

/** The format of published clients: only messages, one per line. */
export const bareFormat: StreamFormat = {
  // No keep-alive is needed, because the server sends WebSocket pings.
  keepalive: undefined,
  verdict: () => undefined,
  event: ({ payload }) => `${payload}\n`,
  replayed: ({ payload }) => `${payload}\n`,
  live: ({ event, payload }) => (event === 'ephemeral_event' ? `${payload}\n` : undefined),
};

/** The format of the resumable mode. Its numbers are the sequence numbers of the log, so a cursor has the same meaning as on an event stream. */
export const numberedFormat: StreamFormat = {
  keepalive: undefined,
  verdict: (verdict, { cursor, log }) => encodeLine({ ack: 0, log, ...greetingStart(cursor, verdict) }),
  event: ({ sequence, source, payload }) => loggedLine(sequence, source, payload),
  replayed: ({ sequence, source, payload }) => loggedLine(sequence, source, payload),
  live({ event, data, payload }) {
    switch (event) {
      case 'ephemeral_event':
        return loggedLine(undefined, String(data['source']), String(payload));
      case 'catch_up_truncated':
        // Without positions, the greeting has already reported the gap.
        return isGap(data)
          ? encodeLine({ ack: 0, ...greetingStart(0, { verdict: 'gap', reason: 'evicted', ...data }) })
          : undefined;
      case 'session_archived':
        // The end of the link already informs the client.
        return undefined;
      default:
        return noticeLine(undefined, event, data);
    }
  },
};

/**
 * The format of the resumable mode for viewers. Instead of another client's answer, viewers receive `control_resolved` with the number of the answer,
 * so that a viewer whose link was down also receives this news.
 */
export const numberedViewerFormat: StreamFormat = {
  ...numberedFormat,
  event: (event) => answerLine(event) ?? numberedFormat.event(event),
  replayed: (event) => answerLine(event) ?? numberedFormat.replayed(event),
  live: (said) => (said.isOfStored && said.data['outcome'] === 'answered' ? undefined : numberedFormat.live(said)),
};

function answerLine(event: StoredEvent): string | undefined {
  const resolution = isAnswerOfClient(event) ? resolutionBy(event) : undefined;
  return resolution && noticeLine(event.sequence, 'control_resolved', resolution);
}

/** Encodes the notice that a message was refused, for a client in the resumable mode. */
export function refusedLine(eventId: string | undefined, type: string): string {
  return noticeLine(undefined, 'message_refused', { event_id: eventId, error: { type } });
}

function greetingStart(cursor: number, verdict: Verdict): object {
  if (verdict.verdict === 'ok') return { from: cursor + 1 };
  const { reason, from, to } = verdict;
  return { from: reason === 'evicted' ? to + 1 : from, gap: { reason, from, to } };
}

function isGap(data: object): data is { readonly from: number; readonly to: number } {
  return 'from' in data && 'to' in data;
}
