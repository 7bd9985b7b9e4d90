import { failedResult, type RelayOptions } from '@proto/core/internal';
import {
  type Batch,
  encodeBatch,
  type IncomingLink,
  relay,
  type RelayEnd,
  type Transport,
  type TransportClose,
} from '@proto/core/transport';
import { processEndOf, type SpawnedAgent } from '@proto/transport-stdio';
import { exitCodeOfBridge, type StoppedBy } from './bridge-exit.ts';
import { withCancels } from '../open-viewer.ts';

/** The transport of one side. If this process has started the program of that side, `pid` and `child` are set. */
export type BridgeSide = Transport & Partial<Pick<SpawnedAgent, 'pid' | 'child'>>;

/** Which host to connect with which agent. */
export interface BridgeOptions {
  /** The transport to the host, the program that sends prompts. */
  readonly host: BridgeSide;
  /** The transport to the agent. */
  readonly agent: BridgeSide;
  /** The transport to use instead of `agent` for reading and sending, such as a transport that records. Default: `agent`. */
  readonly recorded?: Transport | undefined;
  /**
   * Whether the host is sent a message when the agent has failed. A host that reads the exit code of this process does not need the message. Default
   * true.
   */
  readonly reportsAgentFailure?: boolean | undefined;
  /** Called when something was lost, and when a link goes down or up. */
  readonly onWarning?: ((text: string) => void) | undefined;
}

/** How a bridge ended: `a` is the host, `b` the agent. */
export interface BridgeEnd extends RelayEnd {
  /** What ended the bridge; undefined if one of the sides ended first. */
  readonly stoppedBy: StoppedBy | undefined;
  /**
   * The exit code for a program that stands in for the agent. With a child process, the code is the child's exit code, or 128 plus the signal number
   * if a signal ended the child. Without a child, the code is 130 after `interrupt`, 143 after `close`, 3 for a refused token, 4 for a side that
   * cannot be reached, 1 for any other error, and otherwise 0.
   */
  readonly exitCode: number;
}

/** A host and an agent that are connected. */
export interface Bridge {
  /** Fulfils when both sides have ended. Never rejects. */
  readonly closed: Promise<BridgeEnd>;
  /** Sends SIGINT to the child processes. If the bridge has no child processes, closes the host. */
  interrupt(): void;
  /** Terminates the child processes. If the bridge has no child processes, closes both sides. */
  close(): void;
  /** Closes both sides immediately, and kills the child processes. */
  abort(): void;
}

/**
 * Connects a host and an agent. Each side receives exactly the bytes that the other side sends. When one side ends, the bridge ends the other side.
 */
export function bridge(options: BridgeOptions): Bridge {
  const { host, agent, recorded = agent } = options;
  const sides = [host, agent];
  const children = sides.filter(({ pid }) => pid !== undefined);
  // Only sessions on servers have message ids, and only there can other clients answer requests.
  const source = agent.hasMessageIds ? withCancels(recorded) : recorded;
  let stoppedBy: StoppedBy | undefined;
  return {
    closed: relay(host, source, relayOptions(options)).then((end) => ({
      ...end,
      stoppedBy,
      exitCode: exitCodeOfBridge(end, stoppedBy),
    })),
    interrupt() {
      stoppedBy = 'interrupt';
      if (children.length === 0) void host.close();
      for (const { pid } of children) interruptProcess(pid as number);
    },
    close() {
      stoppedBy ??= 'close';
      if (children.length === 0) for (const side of sides) void side.close();
      for (const { child } of children) child?.terminate();
    },
    abort() {
      for (const side of sides) side.abort();
    },
  };
}

const NAMES = { a: 'host', b: 'agent' } as const;

function relayOptions(options: BridgeOptions): RelayOptions {
  const { reportsAgentFailure = true } = options;
  const warn = (text: string) => options.onWarning?.(text);
  return {
    onItem(from, item) {
      if (item.kind === 'malformed') warn(`a line from the ${NAMES[from]} was lost: ${item.error.message}`);
      else if (item.kind === 'link') warn(`the link to the ${NAMES[from]} is ${linkText(item)}`);
    },
    onUndelivered: (to, error, { count }) =>
      warn(`messages to the ${NAMES[to]} were lost (${count}): ${error.message}`),
    // An agent notices the end of its host when its input ends.
    finalMessages: (of, close) => (of === 'b' && reportsAgentFailure ? finalMessages(close) : undefined),
  };
}

function linkText({ state, resumed, cause }: IncomingLink): string {
  if (state === 'down') return `down: ${cause?.message ?? 'no reason given'}`;
  return resumed === false ? 'up again, but messages may be missing' : 'up again';
}

/**
 * Creates the messages that a host receives when its agent has failed or can no longer be reached: `agent_exited` and a failed result. Programs read
 * `agent_exited`, which session servers send too. Hosts show the failed result as the error of the turn.
 */
function finalMessages(close: TransportClose): Batch {
  const { error, status } = close;
  const end = processEndOf(close);
  // A bridge does not know which session its messages belong to.
  const result = failedResult(error?.message ?? 'the agent has ended', '');
  if (end === undefined) return encodeBatch({ ...result, link_lost: { code: error?.code, status } });
  const { exitCode: code, signal, stderrTail: stderr } = end;
  const exited = { type: 'system', subtype: 'agent_exited', code, signal, stderr, restarting: false };
  return encodeBatch({ ...exited, uuid: crypto.randomUUID(), session_id: '' }, result);
}

function interruptProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGINT');
  } catch {
    // The process has ended in the meantime.
  }
}
