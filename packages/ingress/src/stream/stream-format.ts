import { requestIdOf } from '@proto/core/internal';
import { idOf, type JsonObject } from '../json/values.ts';
import type { StoredEvent } from '../log/event-log.ts';
import { payloadOf, senderOf } from '../session/session-event.ts';

/** Whether a stream continues the cursor of its reader; where it does not, what is missing. */
export type Verdict =
  | { readonly verdict: 'ok' }
  | {
      readonly verdict: 'gap';
      readonly reason: 'evicted' | 'unknown_cursor';
      readonly from: number;
      readonly to: number;
    };

/** Something said beside the log, and never again. */
export interface LiveFrame {
  readonly event: string;
  readonly data: JsonObject;
  /** The message of an ephemeral event, as JSON text. */
  readonly payload?: string | undefined;
}

/** Makes one. */
export function liveFrame(event: string, data: JsonObject, payload?: string): LiveFrame {
  return { event, data, payload };
}

/** How streams of one kind say things. What is undefined is not said to such a reader. */
export interface StreamFormat {
  /** Said at once, and whenever nothing else was for a while. */
  readonly keepalive: string | undefined;
  /** Said first, to who has everything up to `cursor`. */
  verdict(cursor: number, verdict: Verdict): string | undefined;
  /** A stored event, when it is stored. */
  event(event: StoredEvent): string;
  /** The same from the log. */
  replayed(event: StoredEvent): string;
  live(frame: LiveFrame): string | undefined;
}

/** A stored event whose message is known to be JSON, so that it can be said to readers. */
export interface ReadableEvent extends StoredEvent {
  /** The id of the request that it asks; absent for anything else. */
  readonly requestId?: string | undefined;
}

/** A stored event as readers get it; undefined where its text is no message, which nobody is sent. */
export function readableEvent(stored: StoredEvent): ReadableEvent | undefined {
  const payload = payloadOf(stored);
  if (payload === undefined) return undefined;
  return stored.type === 'control_request' ? { ...stored, requestId: idOf(requestIdOf(payload)) } : stored;
}

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
