import { type Cursor, type Incoming, incomingMessage, type Resumption, TransportError } from '@proto/core/transport';
import type { EventSourceMessage } from 'eventsource-parser';
import { type CutEnvelope, cutPayload } from './cut-payload.ts';

/** What the server says beside the messages, such as `delivery_update`: the name of the event and its data, parsed where it is JSON. */
export type Notice = (event: string, data: unknown) => void;

/** The members of an envelope. */
export type Envelope = Readonly<Record<string, unknown>>;

const EXCERPT_LENGTH = 256;

/** What the frames of a session mean to one side of it: the place of each message, and which of them are for this side. */
export abstract class SessionFrames implements Resumption {
  readonly #onNotice: Notice;
  #delivered: number;
  #acknowledged: number;

  constructor(cursor: Cursor | undefined, onNotice: Notice) {
    this.#onNotice = onNotice;
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
        this.tell(event, jsonOf(data));
        return undefined;
    }
  }

  /** Whether an event of the log is for this side. It is the first time that it comes. */
  protected abstract accepts(envelope: Envelope): boolean;

  /** The item of an event that is not in the log. */
  protected abstract ephemeral(cut: CutEnvelope | undefined, data: string): Incoming | undefined;

  /** What it throws is its own affair, and not a fault of the link. */
  protected tell(event: string, data: unknown): void {
    queueMicrotask(() => this.#onNotice(event, data));
  }

  #durable(id: string | undefined, data: string): Incoming | undefined {
    const cut = cutPayload(data);
    const envelope = membersOf(cut?.envelope);
    const sequence = numberOf(id) ?? numberOf(envelope['sequence_num']);
    if (sequence !== undefined) {
      if (sequence <= this.#delivered) return undefined;
      this.#delivered = sequence;
    }
    if (cut !== undefined && !this.accepts(envelope)) return undefined;
    return itemOf(cut, data, sequence);
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
  const { source } = membersOf(cut.envelope);
  return incomingMessage(cut.payload, {
    ...(sequence !== undefined && { cursor: String(sequence) }),
    ...(typeof source === 'string' && { source }),
  });
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
