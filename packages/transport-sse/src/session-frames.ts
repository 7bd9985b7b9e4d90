import type { IncomingNotice, Resumption } from '@proto/core/internal';
import { type Cursor, type Incoming, incomingMessage, TransportError } from '@proto/core/transport';
import type { EventSourceMessage } from 'eventsource-parser';
import { type CutEnvelope, cutPayload } from './cut-payload.ts';

/** The members of an envelope. */
export type Envelope = Readonly<Record<string, unknown>>;

/** An event of the log, as it came. */
export interface LoggedEvent {
  readonly cut: CutEnvelope;
  readonly envelope: Envelope;
  readonly data: string;
  readonly sequence: number | undefined;
}

const EXCERPT_LENGTH = 256;

/** What the frames of a session mean to one side of it: the place of each message, and which of them are for this side. */
export abstract class SessionFrames implements Resumption {
  #delivered: number;
  #acknowledged: number;

  constructor(cursor: Cursor | undefined) {
    this.#delivered = this.#acknowledged = numberOf(cursor) ?? 0;
  }

  /** Where the next stream has to go on: behind the last event that came. */
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

  /** The item of a frame, `gap` where it says that messages are missing, `end` behind the last one, or nothing that the reader needs. */
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

  /** The item of an event of the log, or nothing where it is not for this side. It is the first time that it comes. */
  protected abstract logged(event: LoggedEvent): Incoming | undefined;

  /** The item of an event that is not in the log. */
  protected abstract ephemeral(cut: CutEnvelope | undefined, data: string): Incoming | undefined;

  /** The item of what the server says beside the messages, or nothing where the reader has it already. */
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

  /** Whether what follows continues the cursor. A server that is behind it has lost events, and numbers new ones as those. */
  #verdict(value: unknown): 'gap' | undefined {
    const { verdict, from } = membersOf(value);
    if (verdict !== 'gap') return undefined;
    this.#delivered = Math.min(this.#delivered, Math.max(0, (numberOf(from) ?? Infinity) - 1));
    this.#acknowledged = Math.min(this.#acknowledged, this.#delivered);
    return 'gap';
  }
}

/** A message, or what was to be one. */
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

/** What the server says of the session beside its messages. */
export function noticeOf(event: string, data: unknown, sequence?: number): IncomingNotice {
  return { kind: 'notice', event, data, ...(sequence !== undefined && { cursor: String(sequence) }) };
}

/** The members of what should be an object. */
export function membersOf(value: unknown): Envelope {
  return typeof value === 'object' && value !== null ? (value as Envelope) : {};
}

/** The value of a JSON text, or the text where it is none. */
export function jsonOf(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return data;
  }
}

/** A place in the log; undefined for what is none. */
function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value;
  return Number.isSafeInteger(number) && (number as number) >= 0 ? (number as number) : undefined;
}
