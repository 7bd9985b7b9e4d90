import type { WireMessage } from '@proto/core/framing';
import type { IncomingLink } from '@proto/core/transport';

/** What became of the messages of a session over one transport. */
export interface LegReport {
  readonly transport: string;
  /** The ids of the messages that were sent: prompts, and messages of the agent. */
  readonly sent: readonly string[];
  /** The ids of the messages that arrived, in order: prompts by their results, and messages that the host received. */
  readonly seen: readonly string[];
  readonly lost: readonly string[];
  readonly doubled: readonly string[];
  readonly outOfOrder: readonly string[];
  /** How often the connection was cut on purpose. */
  readonly cuts: number;
  readonly reconnects: number;
  /** From a prompt to its result, in milliseconds. */
  readonly medianMs: number;
}

/** Counts messages that are sent and that arrive. Pieces of answers do not count, as they may be lost without harm. */
export interface Tally {
  prompted(uuid: string): void;
  /** Tells of a message that the agent has sent, as another source than the host says. */
  said(message: WireMessage): void;
  /** Tells of a message that the host has received. */
  seen(message: WireMessage): void;
  /** Tells that the connection is cut on purpose. */
  cut(): void;
  link(link: IncomingLink): void;
  took(ms: number): void;
  report(transport: string): LegReport;
}

const UNCOUNTED = ['stream_event', 'keep_alive', 'control_request', 'control_response', 'control_cancel_request'];

/** Creates an empty tally. */
export function createTally(): Tally {
  const prompts: string[] = [];
  const answered: string[] = [];
  const said: string[] = [];
  const seen: string[] = [];
  const times: number[] = [];
  let cuts = 0;
  let reconnects = 0;
  return {
    prompted: (uuid) => void prompts.push(uuid),
    said: (message) => void said.push(...idOf(message)),
    seen(message) {
      seen.push(...idOf(message));
      const { user_message_uuids: several, user_message_uuid: one } = message;
      if (message.type === 'result') answered.push(...[several ?? one ?? []].flat().map(String));
    },
    cut: () => void cuts++,
    link({ state }) {
      if (state === 'up') reconnects++;
    },
    took: (ms) => void times.push(ms),
    report: (transport) => ({
      transport,
      sent: [...prompts, ...said],
      seen: [...answered, ...seen],
      lost: [...missing(prompts, answered), ...missing(said, seen)],
      doubled: [...twice(answered), ...twice(seen)],
      outOfOrder: [...moved(prompts, answered), ...moved(said, seen)],
      cuts,
      reconnects,
      medianMs: times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0,
    }),
  };
}

/** Gives the id of a message that counts; empty for any other message, such as one that the host library keeps for itself. */
function idOf({ type, uuid, sdk_host_only: hostOnly }: WireMessage): readonly string[] {
  return typeof uuid === 'string' && hostOnly !== true && !UNCOUNTED.includes(type) ? [uuid] : [];
}

function missing(sent: readonly string[], seen: readonly string[]): readonly string[] {
  const there = new Set(seen);
  return sent.filter((id) => !there.has(id));
}

function twice(ids: readonly string[]): readonly string[] {
  return ids.filter((id, at) => ids.indexOf(id) !== at);
}

/** Gives the ids that arrived after an id that was sent later. */
function moved(sent: readonly string[], seen: readonly string[]): readonly string[] {
  const places = new Map(sent.map((id, place) => [id, place]));
  let last = -1;
  return [...new Set(seen)].filter((id) => {
    const place = places.get(id) ?? last;
    const isBehind = place < last;
    last = Math.max(last, place);
    return isBehind;
  });
}
