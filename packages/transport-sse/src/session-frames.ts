import type { IncomingNotice, Resumption } from '@proto/core/internal';
import { type Cursor, type Incoming, incomingMessage, TransportError } from '@proto/core/transport';
import type { EventSourceMessage } from 'eventsource-parser';
import { type CutEnvelope, cutPayload } from './cut-payload.ts';

/** The members of an envelope. */
export type Envelope = Readonly<Record<string, unknown>>;

/** An event of the log, as it arrived. */
export interface LoggedEvent {
  readonly cut: CutEnvelope;
  readonly envelope: Envelope;
  readonly data: string;
  readonly sequence: number | undefined;
}

const EXCERPT_LENGTH = 256;

/** Turns the frames of an event stream into items for one side of the session. Keeps the place in the log; drops what is not for this side. */
export abstract class SessionFrames implements Resumption {
  #delivered: number;
  #acknowledged: number;

  constructor(cursor: Cursor | undefined) {
    this.#delivered = this.#acknowledged = numberOf(cursor) ?? 0;
  }

  /** The sequence number of the last event that came; the next stream goes on after it. */
  get delivered(): number {
    return this.#delivered;
  }

  get cursor(): Cursor | undefined {
    return this.#acknowledged > 0 ? String(this.#acknowledged) : undefined;
  }

  acknowledge(cursor: Cursor): void {
    const sequence = numberOf(cursor) ?? 0;
    if (sequence <= this.#delivered) this.#acknowledged = Math.max(this.#acknowledged, sequence);
  }

  /** The item of a frame: `gap` where messages are missing, `end` after the last event, undefined for a frame that the reader does not need. */
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

  /** The item of a new event of the log; undefined if the event is not for this side. */
  protected abstract logged(event: LoggedEvent): Incoming | undefined;

  /** The item of an event that is not in the log. */
  protected abstract ephemeral(cut: CutEnvelope | undefined, data: string): Incoming | undefined;

  /** The item of news of the server; undefined if the reader has the news already. */
  protected notice(event: string, data: unknown): Incoming | undefined {
    return noticeOf(event, data);
  }

  #durable(id: string | undefined, data: string): Incoming | undefined {
    const cut = cutPayload(data);
    const envelope = membersOf(cut?.envelope);
    const sequence = numberOf(id) ?? numberOf(envelope['sequence_num']);
    if (sequence !== undefined) {
      if (sequence <= this.#delivered) return undefined;
      this.#delivered = sequence;
    }
    return cut === undefined ? itemOf(cut, data, sequence) : this.logged({ cut, envelope, data, sequence });
  }

  /**
   * Whether the stream continues the cursor. A server whose log ends before the cursor has lost events and will give their numbers to new
   * events, so the cursor goes back.
   */
  #verdict(value: unknown): 'gap' | undefined {
    const { verdict, from } = membersOf(value);
    if (verdict !== 'gap') return undefined;
    this.#delivered = Math.min(this.#delivered, Math.max(0, (numberOf(from) ?? Infinity) - 1));
    this.#acknowledged = Math.min(this.#acknowledged, this.#delivered);
    return 'gap';
  }
}

/** The message of an envelope, or a `malformed` item for text that is no envelope. */
export function itemOf(cut: CutEnvelope | undefined, data: string, sequence?: number): Incoming {
  if (cut === undefined) {
    const error = new TransportError('malformed', 'sse: an event is no envelope');
    return { kind: 'malformed', error, excerpt: data.slice(0, EXCERPT_LENGTH) };
  }
  const { source, event_id: id } = membersOf(cut.envelope);
  return incomingMessage(cut.payload, {
    ...(typeof id === 'string' && { id }),
    ...(sequence !== undefined && { cursor: String(sequence) }),
    ...(typeof source === 'string' && { source }),
  });
}

/** The item of news that the server sends beside the messages. */
export function noticeOf(event: string, data: unknown, sequence?: number): IncomingNotice {
  return { kind: 'notice', event, data, ...(sequence !== undefined && { cursor: String(sequence) }) };
}

/** The members of an object; none for any other value. */
export function membersOf(value: unknown): Envelope {
  return typeof value === 'object' && value !== null ? (value as Envelope) : {};
}

/** The value of a JSON text; the text itself if it is not JSON. */
export function jsonOf(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return data;
  }
}

/** A sequence number; undefined for any other value. */
function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value;
  return Number.isSafeInteger(number) && (number as number) >= 0 ? (number as number) : undefined;
}
