import type { Incoming, Transport } from '@proto/core/transport';
import { startFaultProxy } from '@proto/testkit';
import { inheritEnvironment, spawnAgent } from '@proto/transport-stdio';
import { openSocket } from '@proto/transport-websocket/node';
import { type LinkKind, openViewer, sessionUrl } from '@proto/remote';
import { LAUNCH } from '@proto/terminal';
import { converse } from './converse.ts';
import { mapIncoming } from '@proto/core/internal';
import type { DemoIngress, DemoProcess } from './demo-ingress.ts';
import { type LegReport, Tally } from './tally.ts';
import type { Transcript } from './transcript.ts';

// Short enough for a demo, and long enough that a busy machine does not trigger the fallback.
const FALLBACK_MS = 1000;

/** The options of every part of the demo. */
export interface LegOptions {
  readonly here: DemoProcess;
  readonly transcript: Transcript;
  /** Wraps each transport, for example to inject a fault. */
  readonly wire: (transport: Transport) => Transport;
}

/** Runs the session over the pipes of a child process. The messages that arrive from the pipe are counted as sent. */
export async function overStdio(agent: string, { here, transcript, wire }: LegOptions): Promise<LegReport> {
  const tally = new Tally();
  transcript.heading('stdio: the host starts the agent, and they communicate over pipes');
  const child = spawnAgent({
    command: agent,
    args: LAUNCH.args,
    env: inheritEnvironment({ ...here.agentEnv, ...LAUNCH.env }, here.env),
    onStderr: (text) => here.stderr.write(text),
  });
  transcript.line('host', `started the agent as process ${child.pid}`);
  const transport = withItemCallback(child, (item) => {
    const message = item.kind === 'message' ? item.read().message : undefined;
    if (message !== undefined) tally.addSent(message);
  });
  await converse({ transport: wire(transport), cwd: here.cwd, tally, transcript });
  const { process: end } = await child.closed;
  transcript.line('host', `closed the session, and the agent exited with code ${end?.exitCode}`);
  return tally.report('stdio');
}

/** A part of the demo whose session runs on a server. */
export interface NetworkLeg {
  readonly name: string;
  /** The text that follows the name in the heading. */
  readonly about: string;
  readonly prefer: LinkKind;
  /**
   * Whether no WebSocket can be opened in the second half of the conversation, so that the session has to switch to another kind of link. Default
   * false.
   */
  readonly moves?: boolean;
}

/** Runs the session on a server. The messages in its log are counted as sent. In the middle, every connection is reset. */
export async function overNetwork(
  ingress: DemoIngress,
  { name, about, prefer, moves = false }: NetworkLeg,
  { here, transcript, wire }: LegOptions,
): Promise<LegReport> {
  const tally = new Tally();
  transcript.heading(`${name}: ${about}`);
  await using proxy = await startFaultProxy(ingress.url);
  const session = await ingress.newSession();
  transcript.line('host', `created the session ${session} on ${ingress.url}`);
  let isBlocked = false;
  let kind = '';
  let downAt = 0;
  const viewer = openViewer({
    url: sessionUrl(proxy.url, session),
    prefer,
    credential: ingress.token,
    ...(moves && { fallbackAfterMs: FALLBACK_MS }),
    open(request) {
      if (isBlocked) throw new Error('no WebSockets here');
      kind = 'WebSocket';
      return openSocket(request);
    },
    fetch(url, request) {
      kind = 'SSE + POST';
      return fetch(url, request);
    },
  });
  const transport = withItemCallback(viewer, (item) => {
    if (item.kind !== 'link') return;
    tally.addLink(item);
    if (item.state === 'up') {
      const missing = item.resumed ? 'nothing is missing' : 'messages are missing';
      transcript.line('link', `up again over ${kind} after ${Math.round(performance.now() - downAt)} ms: ${missing}`);
    } else {
      downAt = performance.now();
      transcript.line('link', 'down');
    }
  });
  const disturb = () => {
    isBlocked = moves;
    tally.addCut();
    transcript.line('link', `every connection is reset${moves ? ', and WebSockets can no longer be opened' : ''}`);
    proxy.cut('rst');
  };
  await converse({ transport: wire(transport), cwd: here.cwd, tally, transcript, isRepetition: true, disturb });
  for (const message of await ingress.logOf(session)) tally.addSent(message);
  return tally.report(name);
}

function withItemCallback(transport: Transport, onItem: (item: Incoming) => void): Transport {
  return mapIncoming(transport, (item) => {
    onItem(item);
    return [item];
  });
}
