import { createAccounts, createMemoryEventLog, listen } from '@proto/ingress';
import { startFaultProxy } from '@proto/testkit';
import { type NetworkedSession, SILENCE_MS } from './event-stream-transports.ts';

const TOKEN = 'driver-token-0123456789';

/** Starts an ingress with a session, and a proxy before it. Pages of these origins may use the ingress. */
export async function startNetworkedSession(allowedOrigins: readonly string[] = []): Promise<NetworkedSession> {
  const accounts = await createAccounts([{ name: 'driver', role: 'driver', token: TOKEN }]);
  const limits = { keepaliveMs: SILENCE_MS / 5 };
  const server = await listen({ log: createMemoryEventLog(), accounts, limits, allowedOrigins });
  const proxy = await startFaultProxy(server.url);
  const post = async (path: string) => {
    const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
    const answer = await fetch(`${server.url}${path}`, { method: 'POST', headers, body: '{}' });
    return (await answer.json()) as { session: { id: string }; worker_jwt: string; worker_epoch: number };
  };
  const { session } = await post('/v1/code/sessions');
  const path = `/v1/code/sessions/${session.id}`;
  const { worker_jwt: token, worker_epoch: epoch } = await post(`${path}/bridge`);
  return {
    url: `${proxy.url}${path}`,
    directUrl: `${server.url}${path}`,
    token: TOKEN,
    worker: { token, epoch },
    reachable(yes) {
      proxy.misbehave({ refuses: !yes });
      if (!yes) proxy.cut('rst');
    },
    cut: () => proxy.cut('rst'),
    silence: () => proxy.misbehave({ silent: true }),
    async close() {
      await proxy.close();
      await server.close();
    },
  };
}
