import type { StoredEvent } from '../log/event-log.ts';
import { senderOf } from '../session/session-event.ts';

/** A comment: it proves life, and moves no cursor. */
export const KEEPALIVE_FRAME = ': keepalive\n\n';

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

/** A stored event; its `id:` is the cursor of whoever reads it. */
export function eventFrame(event: StoredEvent): string {
  return frame(event, envelopeOf(event));
}

/** The same from the log: a request among them was asked before, and says so. */
export function replayedFrame(event: StoredEvent): string {
  const envelope = envelopeOf(event);
  return frame(event, event.type === 'control_request' ? `{"replayed":true,${envelope.slice(1)}` : envelope);
}

function frame({ sequence }: StoredEvent, envelope: string): string {
  return `id: ${sequence}\nevent: client_event\ndata: ${envelope}\n\n`;
}

/** Something said beside the log: it has no `id:`, and is never said again. */
export function liveFrame(event: string, data: object): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** The first frame of a stream: whether what follows continues the reader's cursor. Its `id:` is where a cut before any event resumes. */
export function verdictFrame(cursor: number, verdict: object): string {
  return `id: ${cursor}\n${liveFrame('resume', verdict)}`;
}
