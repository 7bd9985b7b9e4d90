import type { StoredEvent } from '../log/event-log.ts';
import { senderOf } from '../session/session-event.ts';
import type { StreamFormat } from './stream-format.ts';

/** The envelope of an event: as the data of its frame, and as an entry of a list. */
export function envelopeOf(event: StoredEvent): string {
  const { id, sequence, type, source, payload, createdAt } = event;
  const sender = senderOf(event);
  const members = {
    event_id: id,
    sequence_num: sequence,
    event_type: type,
    source,
    ...(sender !== undefined && { sender }),
    created_at: new Date(createdAt).toISOString(),
  };
  // The payload is JSON already, and JSON has no line ends of its own: what was stored goes out as it is.
  return `${JSON.stringify(members).slice(0, -1)},"payload":${payload}}`;
}

/** Frames of an event stream. The `id:` of one is the cursor of whoever has read it. */
export const eventStreamFormat: StreamFormat = {
  // A comment: it proves life, and moves no cursor.
  keepalive: ': keepalive\n\n',
  // Its `id:` is where a cut before any event resumes.
  verdict: (cursor, verdict) => `id: ${cursor}\n${withoutId('resume', verdict)}`,
  event: (event) => frame(event, envelopeOf(event)),
  // A request from the log was asked before, and says so.
  replayed(event) {
    const envelope = envelopeOf(event);
    return frame(event, event.type === 'control_request' ? `{"replayed":true,${envelope.slice(1)}` : envelope);
  },
  live: ({ event, data, payload }) => withoutId(event, data, payload),
};

function frame({ sequence }: StoredEvent, envelope: string): string {
  return `id: ${sequence}\nevent: client_event\ndata: ${envelope}\n\n`;
}

function withoutId(event: string, data: object, payload?: string): string {
  const json = JSON.stringify(data);
  const whole = payload === undefined ? json : `${json.slice(0, -1)},"payload":${payload}}`;
  return `event: ${event}\ndata: ${whole}\n\n`;
}
