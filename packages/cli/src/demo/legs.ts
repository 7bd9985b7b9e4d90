import type { Transport } from '@proto/core/transport';
import { startFaultProxy } from '@proto/testkit';
import { createSseTransport } from '@proto/transport-sse';
import { inheritEnvironment, spawnAgent } from '@proto/transport-stdio';
import { LAUNCH } from '../run/run-agent.ts';
import { sessionUrl } from '../connect/session-address.ts';
import type { Transcript } from '../transcript.ts';
import { converse } from './converse.ts';
import { counted } from './counted.ts';
import type { DemoIngress } from './demo-ingress.ts';
import { createTally, type LegReport } from './tally.ts';

/** What every leg is walked with. */
export interface LegOptions {
  readonly transcript: Transcript;
  /** What stands between a transport and its session. */
  readonly wire: (transport: Transport) => Transport;
}

/** The session over the pipes of a child. What came out of them is what was said. */
export async function overStdio(agent: string, { transcript, wire }: LegOptions): Promise<LegReport> {
  const tally = createTally();
  const child = spawnAgent({
    command: agent,
    args: LAUNCH.args,
    env: inheritEnvironment(LAUNCH.env),
    onStderr: (text) => process.stderr.write(text),
  });
  transcript.line('host', `started the agent as process ${child.pid}`);
  const transport = counted(child, (item) => {
    const message = item.kind === 'message' ? item.read().message : undefined;
    if (message !== undefined) tally.said(message);
  });
  await converse({ transport: wire(transport), tally, transcript });
  const { process: end } = await child.closed;
  transcript.line('host', `closed the session, and the agent left with code ${end?.exitCode}`);
  return tally.report('stdio');
}

/** The session over events and posts, through a server whose log is what was said. The link is reset in the middle of it. */
export async function overSse(ingress: DemoIngress, { transcript, wire }: LegOptions): Promise<LegReport> {
  const tally = createTally();
  await using proxy = await startFaultProxy(ingress.url);
  const session = await ingress.newSession();
  transcript.line('host', `made the session ${session} on ${ingress.url}`);
  const viewer = createSseTransport({ url: sessionUrl(proxy.url, session), credential: () => ingress.token });
  const transport = counted(viewer, (item) => {
    if (item.kind !== 'link') return;
    tally.link(item);
    transcript.line('link', item.state === 'up' ? `up again, nothing missing: ${item.resumed}` : 'down');
  });
  await converse({ transport: wire(transport), tally, transcript, disturb: () => proxy.cut('rst') });
  for (const message of await ingress.logOf(session)) tally.said(message);
  return tally.report('SSE + POST');
}
