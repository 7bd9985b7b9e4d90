import { relay, type RelayEnd, type Transport, type TransportClose } from '@proto/core/transport';
import { plain } from '../plain.ts';
import { withCancels } from '@proto/remote';
import { lastWords } from './last-words.ts';

/** Two sides, and who hears of them. */
export interface JoinOptions {
  readonly host: Transport;
  readonly agent: Transport;
  /** Whether the host learns of a dead agent by a message. One that has started us learns it by our exit code. */
  readonly tellsHost: boolean;
  /** What was lost, and news of links. */
  readonly warn: (text: string) => void;
}

const NAMES = { a: 'host', b: 'agent' } as const;

/** Joins a host and an agent until both have ended; `a` is the host. */
export function join({ host, agent, tellsHost, warn }: JoinOptions): Promise<RelayEnd> {
  // Of the two kinds of agents, it is the sessions of servers that have ids, and other hosts.
  return relay(host, agent.identifies ? withCancels(agent) : agent, {
    onItem(from, item) {
      if (item.kind === 'malformed') warn(`a line of the ${NAMES[from]} is lost: ${item.error.message}`);
      else if (item.kind === 'link') warn(`the link to the ${NAMES[from]} is ${stateOf(item)}`);
    },
    onUndelivered: (to, error, { count }) => warn(`${count} for the ${NAMES[to]} are lost: ${plain(error.message)}`),
    // An agent hears of the end of its input.
    lastWords: (of: 'a' | 'b', close: TransportClose) => (of === 'b' && tellsHost ? lastWords(close) : undefined),
  });
}

function stateOf({ state, resumed, cause }: { state: string; resumed?: boolean; cause?: Error }): string {
  if (state === 'down') return `down: ${plain(cause?.message ?? 'no reason given')}`;
  return resumed === false ? 'up again, and messages may be missing' : 'up again';
}
