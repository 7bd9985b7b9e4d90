/** Connects two of our hosts to one session: a request that one host answers is withdrawn from the other host. */
import { createHostSession, type HostSession } from '@proto/host';
import type { Transport } from '@proto/core/transport';
import { verifies } from '@proto/test-support/verifies';
import { startFaultProxy } from '@proto/testkit';
import { expect, onTestFinished } from 'vitest';
import { assistant, permission } from './messages.ts';
import { makeSession, type RemoteSession, viewerBySocket, viewerByStream } from './remote-pair.ts';
import { attachWorker, startIngress } from './remote-session.ts';
import { until } from './until.ts';

const BACKOFF = { baseMs: 20, capMs: 100 };
const WAYS: Readonly<Record<string, (session: RemoteSession) => Transport>> = {
  'an event stream': (session) => viewerByStream(Promise.resolve(session), BACKOFF),
  'a WebSocket': (session) => viewerBySocket(Promise.resolve(session), BACKOFF),
};
const PAIRS = Object.keys(WAYS).flatMap((a) => Object.keys(WAYS).map((b) => [a, b] as const));

/** Connects a host whose user is slow. Returns the requests it received, and functions to answer them. */
function hostOf(transport: Transport) {
  const asked: { readonly signal: AbortSignal; readonly allow: () => void }[] = [];
  const states: string[] = [];
  const links: string[] = [];
  const host: HostSession = createHostSession(transport, {
    canUseTool: (_request, { signal }) =>
      new Promise((resolve) => asked.push({ signal, allow: () => resolve({ behavior: 'allow' }) })),
    onState: ({ session }) => states.push(session),
    onLink: ({ state }) => links.push(state),
  });
  onTestFinished(() => host.abort());
  const texts: unknown[] = [];
  void (async () => {
    for await (const { type } of host) texts.push(type);
  })().catch(() => {});
  return { host, asked, states, links, said: (type: string) => texts.includes(type) };
}

async function start() {
  const { url, close } = await startIngress();
  onTestFinished(close);
  const session = await makeSession(url);
  const worker = await attachWorker(url, session.id);
  return { url, session, worker };
}

for (const [one, other] of PAIRS) {
  verifies(
    'PERMIT-17',
    `a request answered by a host over ${other} is withdrawn from a host over ${one}, whose answer is not sent`,
    async () => {
      const { session, worker } = await start();
      const a = hostOf((WAYS[one] as (typeof WAYS)[string])(session));
      const b = hostOf((WAYS[other] as (typeof WAYS)[string])(session));
      await Promise.all([a.host.initialized, b.host.initialized]);
      worker.handle.sendControlRequest(permission('p1') as never);
      await until(() => a.asked.length === 1 && b.asked.length === 1);
      expect([a.host.state.session, b.host.state.session]).toEqual(['requires_action', 'requires_action']);
      b.asked[0]?.allow();
      await until(() => a.asked[0]?.signal.aborted);
      expect(a.asked[0]?.signal.reason).toMatchObject({ name: 'AbortError', message: 'answered elsewhere' });
      expect(b.asked[0]?.signal.aborted).toBe(false);
      expect([a.host.state, b.host.state]).toMatchObject([{ questions: 0 }, { questions: 0 }]);
      expect([a.host.state.session, b.host.state.session]).not.toContain('requires_action');
      // The answer is too late, and is not sent.
      a.asked[0]?.allow();
      expect(a.host.respond('p1', { behavior: 'allow' })).toBe(false);
      worker.handle.write(assistant('after') as never);
      await until(() => a.said('assistant') && b.said('assistant'));
      expect(worker.responses).toHaveLength(1);
      // A later request with the same id is a new request.
      worker.handle.sendControlRequest(permission('p1') as never);
      await until(() => a.asked.length === 2 && b.asked.length === 2);
      expect([a.asked[1]?.signal.aborted, b.asked[1]?.signal.aborted]).toEqual([false, false]);
    },
    { timeout: 30_000 },
  );
}

for (const one of Object.keys(WAYS)) {
  verifies(
    'PERMIT-17',
    `a host over ${one} whose link is down when another host answers gets the withdrawal when the link is up again`,
    async () => {
      const { url, session, worker } = await start();
      const proxy = await startFaultProxy(url);
      onTestFinished(() => proxy.close());
      const far = { ...session, url: session.url.replace(url, proxy.url) };
      const a = hostOf((WAYS[one] as (typeof WAYS)[string])(far));
      const b = hostOf((WAYS['an event stream'] as (typeof WAYS)[string])(session));
      await Promise.all([a.host.initialized, b.host.initialized]);
      for (const id of ['p1', 'p2']) worker.handle.sendControlRequest(permission(id) as never);
      await until(() => a.asked.length === 2 && b.asked.length === 2);
      proxy.misbehave({ refuses: true });
      proxy.cut('rst');
      await until(() => a.links.includes('down'));
      b.asked[0]?.allow();
      await until(() => worker.responses.length === 1);
      proxy.misbehave({});
      await until(() => a.asked[0]?.signal.aborted);
      expect(a.asked[1]?.signal.aborted).toBe(false);
      expect(a.host.state).toMatchObject({ session: 'requires_action', questions: 1 });
    },
    { timeout: 30_000 },
  );
}
