import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseServerProfile, type ServerProfile } from '@proto/conformance';
import { createAccounts, createMemoryEventLog, listen } from '@proto/ingress';

const RETENTION_BYTES = 16 * 1024 * 1024;
const FEATURES =
  'create sessions sse worker bridge register transcript approver approver.initialize viewer archive limit streams retention websocket websocket.worker hybrid sjp.v1 named-log restart';
const ROLES = ['driver', 'approver', 'viewer'] as const;

/** Our ingress, and the parameters that the suite needs. */
export interface OwnServer extends AsyncDisposable {
  readonly url: string;
  readonly profile: ServerProfile;
}

/** Starts our ingress over a log in memory. A request to another port restarts the ingress over the same log. */
export async function startOwnServer(): Promise<OwnServer> {
  const tokens = Object.fromEntries(ROLES.map((role) => [role, `the-token-of-the-${role}`]));
  const accounts = await createAccounts(ROLES.map((role) => ({ name: role, role, token: tokens[role] ?? '' })));
  const log = createMemoryEventLog({ maxBytes: RETENTION_BYTES });
  const limits = { keepaliveMs: 500, silenceMs: 30_000, maxStreams: 25, maxBodyBytes: 33 * 1024 * 1024 };
  const options = { log, accounts, limits };
  let server = await listen(options);
  const { url } = server;
  const restart = async () => {
    await server.close();
    server = await listen({ ...options, port: Number(new URL(url).port) });
  };
  const control = createServer((_, answer) => {
    restart().then(
      () => answer.end(),
      () => answer.destroy(),
    );
  });
  await once(control.listen(0, '127.0.0.1'), 'listening');
  const profile = parseServerProfile(
    JSON.stringify({
      tokens,
      declares: FEATURES.split(' '),
      restart: { path: `http://127.0.0.1:${(control.address() as AddressInfo).port}/` },
      'keep-alive-ms': 2000,
      limits: { body: limits.maxBodyBytes, streams: limits.maxStreams, retention: RETENTION_BYTES },
    }),
  );
  return {
    url,
    profile,
    async [Symbol.asyncDispose]() {
      control.close();
      await server.close();
      await log.close();
    },
  };
}
