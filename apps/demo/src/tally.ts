import type { WireMessage } from '@proto/core/framing';
import type { IncomingLink } from '@proto/core/transport';

/** Which messages arrived in a session over one transport. */
export interface LegReport {
  readonly transport: string;
  /** The ids of the messages that were sent: prompts, and messages from the agent. */
  readonly sent: readonly string[];
  /** The ids of the messages that arrived, in order: prompts (known from their results), and messages that the host received. */
  readonly seen: readonly string[];
  readonly lost: readonly string[];
  readonly doubled: readonly string[];
  readonly outOfOrder: readonly string[];
  /** How often the connection was cut on purpose. */
  readonly cuts: number;
  readonly reconnects: number;
  /** The median time from a prompt to its result, in milliseconds. */
  readonly medianMs: number;
}

const UNCOUNTED = ['stream_event', 'keep_alive', 'control_request', 'control_response', 'control_cancel_request'];

/** Counts the messages that are sent and that arrive. Pieces of answers are not counted, because losing a piece does no harm. */
export class Tally {
  readonly #prompts: string[] = [];
  readonly #answered: string[] = [];
  readonly #sent: string[] = [];
  readonly #received: string[] = [];
  readonly #turnMs: number[] = [];
  #cuts = 0;
  #reconnects = 0;

  addPrompt(uuid: string): void {
    this.#prompts.push(uuid);
  }

  /** Counts a message that the agent has sent, according to the pipe or the server's log. */
  addSent(message: WireMessage): void {
    this.#sent.push(...idOf(message));
  }

  /** Counts a message that the host has received. A result answers its prompts. */
  addReceived(message: WireMessage): void {
    this.#received.push(...idOf(message));
    const { user_message_uuids: several, user_message_uuid: one } = message;
    if (message.type === 'result') this.#answered.push(...[several ?? one ?? []].flat().map(String));
  }

  /** Counts one deliberate cut of the connection. */
  addCut(): void {
    this.#cuts++;
  }

  /** Counts a link that was restored. */
  addLink({ state }: IncomingLink): void {
    if (state === 'up') this.#reconnects++;
  }

  /** Adds the duration of a turn, in milliseconds. */
  addTurn(ms: number): void {
    this.#turnMs.push(ms);
  }

  /** Compares what was sent with what arrived. `transport` is the name of the transport in the report. */
  report(transport: string): LegReport {
    const [prompts, answered, sent, received] = [this.#prompts, this.#answered, this.#sent, this.#received];
    return {
      transport,
      sent: [...prompts, ...sent],
      seen: [...answered, ...received],
      lost: [...lostOf(prompts, answered), ...lostOf(sent, received)],
      doubled: [...doubledOf(answered), ...doubledOf(received)],
      outOfOrder: [...lateOf(prompts, answered), ...lateOf(sent, received)],
      cuts: this.#cuts,
      reconnects: this.#reconnects,
      medianMs: this.#turnMs.toSorted((a, b) => a - b)[this.#turnMs.length >> 1] ?? 0,
    };
  }
}

/** Returns the id of a message in a list. The list is empty for a message that is not counted, such as a message that only the host library uses. */
function idOf({ type, uuid, sdk_host_only: hostOnly }: WireMessage): readonly string[] {
  return typeof uuid === 'string' && hostOnly !== true && !UNCOUNTED.includes(type) ? [uuid] : [];
}

function lostOf(sent: readonly string[], received: readonly string[]): readonly string[] {
  const arrived = new Set(received);
  return sent.filter((id) => !arrived.has(id));
}

function doubledOf(ids: readonly string[]): readonly string[] {
  return ids.filter((id, at) => ids.indexOf(id) !== at);
}

/** Returns the ids that arrived after an id that was sent later. */
function lateOf(sent: readonly string[], received: readonly string[]): readonly string[] {
  const places = new Map(sent.map((id, place) => [id, place]));
  let last = -1;
  return [...new Set(received)].filter((id) => {
    const place = places.get(id) ?? last;
    const isLate = place < last;
    last = Math.max(last, place);
    return isLate;
  });
}
