import { cutText, parseJson } from '@proto/core/framing';
import { isLogName, numberedCursor, parseNumberedCursor } from '@proto/core/network';
import {
  type Cursor,
  type Incoming,
  incomingMessage,
  type ResumableTransport,
  TransportError,
} from '@proto/core/transport';
import type { EventSourceMessage } from 'eventsource-parser';
import { type CutEnvelope, cutPayload } from './cut-payload.ts';

export type Envelope = Readonly<Record<string, unknown>>;

export interface LoggedEvent {
  readonly cut: CutEnvelope;
  readonly envelope: Envelope;
  readonly data: string;
  /** Undefined for an event without a number. */
  readonly cursor: Cursor | undefined;
}

const EXCERPT_LENGTH = 256;

type Resumption = ResumableTransport['resumption'];

/** Keeps track of the place in the log, and drops frames for other sides. */
export abstract class SessionFrames implements Resumption {
  #delivered: number;
  #acknowledged: number;
  /** The name of the log, if the server sends it. After a backup is restored, the log has a different name. */
  #log: string | undefined;

  constructor(cursor: Cursor | undefined) {
    const [sequence, log] = parseNumberedCursor(cursor);
    this.#delivered = this.#acknowledged = sequenceNumberOf(sequence) ?? 0;
    this.#log = isLogName(log) ? log : undefined;
  }

  /** The sequence number of the last event that arrived. */
  get delivered(): number {
    return this.#delivered;
  }

  /** The next stream continues after this place. Undefined before the first event. */
  get place(): Cursor | undefined {
    return this.#cursorOf(this.#delivered);
  }

  get cursor(): Cursor | undefined {
    return this.#cursorOf(this.#acknowledged);
  }

  acknowledge(cursor: Cursor): void {
    const [sequence, log] = parseNumberedCursor(cursor);
    // Numbers from before a restore of the log belong to other events.
    if (log !== this.#log || sequence > this.#delivered) return;
    this.#acknowledged = Math.max(this.#acknowledged, sequence);
  }

  /**
   * Returns the item for a frame. Returns `gap` if messages are missing, `end` after the last event, and `undefined` for a frame that the reader does
   * not need.
   */
  read({ event = 'message', id, data }: EventSourceMessage): Incoming | 'gap' | 'end' | undefined {
    switch (event) {
      case 'client_event':
        return this.#durable(id, data);
      case 'ephemeral_event':
        return this.ephemeral(cutPayload(data), data);
      case 'catch_up_truncated':
        return 'gap';
      case 'session_archived':
        return 'end';
      case 'resume':
        return this.#verdict(jsonOf(data));
      default:
        return this.notice(event, jsonOf(data));
    }
  }

  /** Undefined if the event is not meant for this side. */
  protected abstract logged(event: LoggedEvent): Incoming | undefined;

  protected abstract ephemeral(cut: CutEnvelope | undefined, data: string): Incoming | undefined;

  /** Returns `undefined` if the reader already has this information. */
  protected notice(event: string, data: unknown): Incoming | undefined {
    return noticeOf(event, data);
  }

  #durable(id: string | undefined, data: string): Incoming | undefined {
    const cut = cutPayload(data);
    const envelope = membersOf(cut?.envelope);
    const sequence = sequenceNumberOf(id) ?? sequenceNumberOf(envelope['sequence_num']);
    if (sequence !== undefined) {
      if (sequence <= this.#delivered) return undefined;
      this.#delivered = sequence;
    }
    const cursor = sequence === undefined ? undefined : this.#cursorOf(sequence);
    return cut === undefined ? itemOf(cut, data, cursor) : this.logged({ cut, envelope, data, cursor });
  }

  #cursorOf(sequence: number): Cursor | undefined {
    return sequence === 0 ? undefined : numberedCursor(sequence, this.#log);
  }

  /**
   * Whether the stream continues at the cursor. A server that has lost events assigns their numbers to new events, so the cursor is moved back to the
   * last event that is still in the log.
   */
  #verdict(value: unknown): 'gap' | undefined {
    const { verdict, from, log } = membersOf(value);
    this.#log = isLogName(log) ? log : undefined;
    if (verdict !== 'gap') return undefined;
    this.#delivered = Math.min(this.#delivered, Math.max(0, (sequenceNumberOf(from) ?? Infinity) - 1));
    this.#acknowledged = Math.min(this.#acknowledged, this.#delivered);
    return 'gap';
  }
}

/** Returns the message in an envelope, or a `malformed` item if the text is not an envelope. */
export function itemOf(cut: CutEnvelope | undefined, data: string, cursor?: Cursor): Incoming {
  if (cut === undefined) {
    const error = new TransportError('malformed', 'sse: an event is not an envelope');
    return { kind: 'malformed', error, excerpt: cutText(data, EXCERPT_LENGTH) };
  }
  const { source, event_id: id } = membersOf(cut.envelope);
  return incomingMessage(cut.payload, {
    ...(typeof id === 'string' && { id }),
    ...(cursor !== undefined && { cursor }),
    ...(typeof source === 'string' && { source }),
  });
}

export function noticeOf(event: string, data: unknown, cursor?: Cursor): Extract<Incoming, { kind: 'notice' }> {
  return { kind: 'notice', event, data, ...(cursor !== undefined && { cursor }) };
}

export function membersOf(value: unknown): Envelope {
  return typeof value === 'object' && value !== null ? (value as Envelope) : {};
}

/** Returns the value of a JSON text, or the text itself if it is not JSON. */
export function jsonOf(data: string): unknown {
  try {
    return parseJson(data);
  } catch {
    return data;
  }
}

function sequenceNumberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value;
  return Number.isSafeInteger(number) && (number as number) >= 0 ? (number as number) : undefined;
}
