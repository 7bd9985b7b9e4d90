import { requestIdOf } from '@proto/core/internal';
import { idOf, type JsonObject, objectOf } from '../json/values.ts';
import type { StoredEvent } from '../log/event-log.ts';
import { answeredId } from '../session/control-requests.ts';
import { payloadOf, senderOf } from '../session/session-event.ts';

/** Whether a stream continues the cursor of its reader. For a gap, `from` and `to` are the first and last missing positions. */
export type Verdict =
  | { readonly verdict: 'ok' }
  | {
      readonly verdict: 'gap';
      readonly reason: 'evicted' | 'unknown_cursor';
      readonly from: number;
      readonly to: number;
    };

/** A frame that is not in the log and is sent only once. */
export interface LiveFrame {
  readonly event: string;
  readonly data: JsonObject;
  /** The message of an ephemeral event, as JSON text. */
  readonly payload?: string | undefined;
  /** Whether the frame reports the effect of a stored event. A format that adds such news to the event leaves out the frame. */
  readonly isOfStored?: boolean | undefined;
}

export function liveFrame(event: string, data: JsonObject, payload?: string): LiveFrame {
  return { event, data, payload };
}

/** The format of the frames of a stream. If a frame is undefined, nothing is sent. */
export interface StreamFormat {
  /** The frame that is sent at the beginning, and after each keep-alive interval. */
  readonly keepalive: string | undefined;
  /** The first frame, for a reader that continues after `cursor` in the log with that identity. */
  verdict(verdict: Verdict, place: { readonly cursor: number; readonly log: string }): string | undefined;
  /** The frame of an event that was just stored. */
  event(event: ReadableEvent): string;
  /** The frame of an event from the log. */
  replayed(event: ReadableEvent): string;
  live(frame: LiveFrame): string | undefined;
}

/** An undamaged stored event, whose message is valid JSON. */
export interface ReadableEvent extends StoredEvent {
  /** The id of a control request; absent for any other event. */
  readonly requestId?: string | undefined;
  /** Whether the event ended a request of the worker. */
  readonly endsRequest?: boolean | undefined;
}

/** Returns a stored event for readers; undefined for a damaged event, which is not sent. */
export function readableEvent(stored: StoredEvent): ReadableEvent | undefined {
  const payload = payloadOf(stored);
  return payload && withRequestId(stored, payload);
}

/** Adds the id of the control request to a stored event, if the event is a control request. `payload` is the parsed message of the event. */
export function withRequestId(stored: StoredEvent, payload: JsonObject): ReadableEvent {
  return stored.type === 'control_request' ? { ...stored, requestId: idOf(requestIdOf(payload)) } : stored;
}

/** Returns the envelope of an event as JSON text. The envelope is the data of a frame, and an item in a list of events. */
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
  // The payload is JSON text without line ends, so the stored text is sent unchanged.
  return `${JSON.stringify(members).slice(0, -1)},"payload":${payload}}`;
}

/** Whether an event is a client's answer to a worker's request. */
export function isAnswerOfClient({ type, source }: StoredEvent): boolean {
  return type === 'control_response' && source !== 'worker';
}

/**
 * Returns the data of the frame `control_resolved` for a client's answer or a worker's cancel, and undefined for any other event. The frame is made from
 * the stored event, so that a viewer whose link was cut or full receives it too.
 */
export function resolutionBy(event: StoredEvent): ResolutionFrame | undefined {
  const isAnswer = isAnswerOfClient(event);
  if (!isAnswer && !(event.type === 'control_cancel_request' && event.source === 'worker')) return undefined;
  const payload = objectOf(payloadOf(event));
  const request_id = isAnswer ? answeredId(payload['response']) : idOf(requestIdOf(payload));
  return { request_id, by: senderOf(event) ?? 'worker', outcome: isAnswer ? 'answered' : 'cancelled' };
}

interface ResolutionFrame extends JsonObject {
  readonly request_id: string | undefined;
}

/** The frames of an event stream. The `id:` of a frame is the cursor of a reader that has read it. */
export const eventStreamFormat: StreamFormat = {
  // A comment, which does not move the cursor.
  keepalive: ': keepalive\n\n',
  // This frame has an `id:`, so that a stream that breaks before its first event resumes at the right position.
  verdict: (verdict, { cursor, log }) => `id: ${cursor}\n${withoutId('resume', { ...verdict, log })}`,
  event: (event) => frame(event, envelopeOf(event)),
  // A request from the log may be old, so it is marked as replayed.
  replayed(event) {
    const envelope = envelopeOf(event);
    return frame(event, event.type === 'control_request' ? `{"replayed":true,${envelope.slice(1)}` : envelope);
  },
  live: ({ event, data, payload }) => withoutId(event, data, payload),
};

/** The frames of a viewer's event stream. After an event that ends a request, the viewer receives `control_resolved`. */
export const viewerEventStreamFormat: StreamFormat = {
  ...eventStreamFormat,
  event: (event) => withResolution(eventStreamFormat.event(event), event),
  replayed: (event) => withResolution(eventStreamFormat.replayed(event), event),
  live: (said) => (said.isOfStored ? undefined : eventStreamFormat.live(said)),
};

function withResolution(frameOfEvent: string, event: ReadableEvent): string {
  const resolution = event.endsRequest ? resolutionBy(event) : undefined;
  return resolution === undefined ? frameOfEvent : frameOfEvent + withoutId('control_resolved', resolution);
}

function frame({ sequence }: StoredEvent, envelope: string): string {
  return `id: ${sequence}\nevent: client_event\ndata: ${envelope}\n\n`;
}

function withoutId(event: string, data: object, payload?: string): string {
  const json = JSON.stringify(data);
  const whole = payload === undefined ? json : `${json.slice(0, -1)},"payload":${payload}}`;
  return `event: ${event}\ndata: ${whole}\n\n`;
}
