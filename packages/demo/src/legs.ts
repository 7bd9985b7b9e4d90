import type { Incoming, Transport } from '@proto/core/transport';
import { startFaultProxy } from '@proto/testkit';
import { inheritEnvironment, spawnAgent } from '@proto/transport-stdio';
import { openSocket } from '@proto/transport-websocket/node';
import { type LinkKind, openViewer, sessionUrl } from '@proto/remote';
import { LAUNCH } from '@proto/terminal';
import { converse } from './converse.ts';
import { mapIncoming } from '@proto/core/internal';
import type { DemoIngress } from './demo-ingress.ts';
import type { DemoProcess } from './demo-process.ts';
import { createTally, type LegReport } from './tally.ts';
import type { Transcript } from './transcript.ts';

// Nobody is to wait long for the demo; but a busy machine is no reason to move.
const FALLBACK_MS = 1000;

/** What every leg is walked with. */
export interface LegOptions {
  readonly here: DemoProcess;
  readonly transcript: Transcript;
  /** What stands between a transport and its session. */
  readonly wire: (transport: Transport) => Transport;
}

/** The session over the pipes of a child. What came out of them is what was said. */
export async function overStdio(agent: string, { here, transcript, wire }: LegOptions): Promise<LegReport> {
  const tally = createTally();
  transcript.heading('stdio: the host starts the agent, and they talk over its pipes');
  const child = spawnAgent({
    command: agent,
    args: LAUNCH.args,
    env: inheritEnvironment({ ...here.agentEnv, ...LAUNCH.env }, here.env),
    onStderr: (text) => here.stderr.write(text),
  });
  transcript.line('host', `started the agent as process ${child.pid}`);
  const transport = counted(child, (item) => {
    const message = item.kind === 'message' ? item.read().message : undefined;
    if (message !== undefined) tally.said(message);
  });
  await converse({ transport: wire(transport), cwd: here.cwd, tally, transcript });
  const { process: end } = await child.closed;
  transcript.line('host', `closed the session, and the agent left with code ${end?.exitCode}`);
  return tally.report('stdio');
}

/** How a session goes through a server. */
export interface NetworkLeg {
  readonly name: string;
  /** What is special about it, after its name. */
  readonly about: string;
  readonly prefer: LinkKind;
  /** From the middle on no WebSocket can be opened any more, so that the session has to move. */
  readonly moves?: boolean;
}

/** The session through a server, whose log is what was said. In the middle of it every connection is reset. */
export async function overNetwork(
  ingress: DemoIngress,
  { name, about, prefer, moves = false }: NetworkLeg,
  { here, transcript, wire }: LegOptions,
): Promise<LegReport> {
  const tally = createTally();
  transcript.heading(`${name}: ${about}`);
  await using proxy = await startFaultProxy(ingress.url);
  const session = await ingress.newSession();
  transcript.line('host', `made the session ${session} on ${ingress.url}`);
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
  const transport = counted(viewer, (item) => {
    if (item.kind !== 'link') return;
    tally.link(item);
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
    tally.cut();
    transcript.line('link', `every connection is reset${moves ? ', and no WebSocket can be opened any more' : ''}`);
    proxy.cut('rst');
  };
  await converse({ transport: wire(transport), cwd: here.cwd, tally, transcript, isRepetition: true, disturb });
  for (const message of await ingress.logOf(session)) tally.said(message);
  return tally.report(name);
}

/** A transport as it is; each item is shown on its way to the reader. */
function counted(transport: Transport, onItem: (item: Incoming) => void): Transport {
  return mapIncoming(transport, (item) => {
    onItem(item);
    return [item];
  });
}
