import { type Cursor, type Incoming, incomingMessage, TransportError } from '@proto/core/transport';
import type { EventSourceMessage } from 'eventsource-parser';
import { cutPayload } from './cut-payload.ts';

/** What the server says beside the messages, such as `delivery_update`: the name of the event and its data, parsed where it is JSON. */
export type Notice = (event: string, data: unknown) => void;

const EXCERPT_LENGTH = 256;
// The server says each durable message to its sender as well. One that was not heard of by then will not be.
const MAX_EXPECTED_ECHOES = 10_000;

/** What frames of a session mean to one that follows it: the place of each message, and which of them are for this side. */
export class ViewerFrames {
  readonly #onNotice: Notice;
  readonly #echoes = new Set<string>();
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

  /** This side sends a message under that id. */
  expectEcho(id: string): void {
    this.#echoes.add(id);
    if (this.#echoes.size <= MAX_EXPECTED_ECHOES) return;
    for (const oldest of this.#echoes) return void this.#echoes.delete(oldest);
  }

  /** The item of a frame, `gap` where it says that messages are missing, or nothing that the reader needs. */
  read({ event = 'message', id, data }: EventSourceMessage): Incoming | 'gap' | undefined {
    switch (event) {
      case 'client_event':
        return this.#durable(id, data);
      case 'ephemeral_event':
        return itemOf(cutPayload(data), data);
      case 'catch_up_truncated':
        return 'gap';
      case 'resume':
        return this.#verdict(parsed(data));
      default:
        // What it throws is its own affair, and not a fault of the link.
        queueMicrotask(() => this.#onNotice(event, parsed(data)));
        return undefined;
    }
  }

  #durable(id: string | undefined, data: string): Incoming | undefined {
    const cut = cutPayload(data);
    const { event_id: eventId, sequence_num: number } = membersOf(cut?.envelope);
    const sequence = numberOf(id) ?? numberOf(number);
    if (sequence !== undefined) {
      if (sequence <= this.#delivered) return undefined;
      this.#delivered = sequence;
    }
    if (typeof eventId === 'string' && this.#echoes.delete(eventId)) return undefined;
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

/**
 * A message, or what was to be one. What other clients ask of the worker and answer to it is between them: here it would count as
 * asked of this side, or as the worker's answer.
 */
function itemOf(cut: ReturnType<typeof cutPayload>, data: string, sequence?: number): Incoming | undefined {
  if (cut === undefined) {
    const error = new TransportError('malformed', 'sse: an event is no envelope');
    return { kind: 'malformed', error, excerpt: data.slice(0, EXCERPT_LENGTH) };
  }
  const { source, event_type: type } = membersOf(cut.envelope);
  if (source !== 'worker' && sequence !== undefined && typeof type === 'string' && type.startsWith('control_'))
    return undefined;
  return incomingMessage(cut.payload, {
    ...(sequence !== undefined && { cursor: String(sequence) }),
    ...(typeof source === 'string' && { source }),
  });
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function parsed(data: string): unknown {
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
