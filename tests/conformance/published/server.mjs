import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAccounts, createMemoryEventLog, listen } from '@proto/ingress';

const ROLES = /** @type {const} */ (['driver', 'approver', 'viewer']);
const DECLARES =
  'create sessions sse worker bridge register transcript approver approver.initialize viewer archive limit streams websocket websocket.worker hybrid sjp.v1';
const MAX_BODY_BYTES = 33 * 1024 * 1024;
const MAX_STREAMS = 25;

/** Our ingress over a log in memory, with the options by which the suite reaches it. */
export async function startServer() {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-'));
  const tokens = Object.fromEntries(ROLES.map((role) => [role, `the-token-of-the-${role}`]));
  const accounts = await createAccounts(ROLES.map((role) => ({ name: role, role, token: tokens[role] ?? '' })));
  const log = createMemoryEventLog();
  const limits = { maxStreams: MAX_STREAMS, maxBodyBytes: MAX_BODY_BYTES };
  const server = await listen({ log, accounts, limits: { keepaliveMs: 500, silenceMs: 6000, ...limits } });
  const file = join(folder, 'tokens.json');
  const profile = {
    tokens,
    declares: DECLARES.split(' '),
    'keep-alive-ms': 2000,
    limits: { body: MAX_BODY_BYTES, streams: MAX_STREAMS },
  };
  writeFileSync(file, JSON.stringify(profile), { mode: 0o600 });
  return {
    options: { url: server.url, tokens: file },
    async close() {
      await server.close();
      await log.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
