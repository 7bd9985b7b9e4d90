/**
 * Every option that is a duration: what it does with odd values. The options are found in the sources, so that a new one has to be listed here. A value is
 * refused with a `RangeError`, or accepted; then no timer gets a time that Node would cut to 1 ms, which Node reports by a warning.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { coalesceStreamEvents, createPendingRequests } from '@proto/core';
import { startHeartbeat } from '@proto/core/network';
import { connectSession, createMemoryPair } from '@proto/core/transport';
import { createHostSession, type HostSessionOptions, query } from '@proto/host';
import { createAccounts, createIngress, createMemoryEventLog, openSqliteEventLog, listen } from '@proto/ingress';
import { addJwtAccounts } from '@proto/ingress/operate';
import { openPostgresEventLog } from '@proto/log-postgres';
import { createNodeTools } from '@proto/reference-agent/node';
import { openViewer } from '@proto/remote';
import { runDoctor } from '@proto/terminal/doctor';
import { startFaultProxy } from '@proto/testkit';
import { createSseTransport, createSseWorkerTransport } from '@proto/transport-sse';
import { spawnAgent } from '@proto/transport-stdio';
import {
  createWebSocketServerTransport,
  createWebSocketClientTransport,
  createWebSocketTransport,
} from '@proto/transport-websocket';
import { createSessionAgents } from '@proto/remote/worker';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';

const { readSources } = await import(new URL('../../scripts/house/sources.mjs', import.meta.url).href);
const sources = readSources() as readonly { readonly path: string; readonly text: string }[];

/** Uses an option with a value. Returns what ends the use. Throws or rejects as the option does. */
type Use = (ms: number) => unknown;
interface Releases {
  abort(reason?: unknown): unknown;
}

const URL_OF_SESSION = 'http://127.0.0.1:9/v1/code/sessions/cse_1';
const folder = mkdtempSync(join(tmpdir(), 'durations-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const never = () => new Promise<never>(() => {});
/** A socket that neither opens nor closes. */
const socket = () =>
  ({ readyState: 0, protocol: '', bufferedAmount: 0, addEventListener() {}, send() {}, close() {} }) as never;

const webSocket =
  (name: string): Use =>
  (ms) =>
    ended(createWebSocketClientTransport({ url: 'ws://h', open: socket, [name]: ms }));
const sse =
  (name: string): Use =>
  (ms) =>
    ended(createSseTransport({ url: URL_OF_SESSION, fetch: never, [name]: ms }));
const sseWorker =
  (name: string): Use =>
  (ms) =>
    ended(createSseWorkerTransport({ url: URL_OF_SESSION, fetch: never, [name]: ms }));
const stdio =
  (name: string): Use =>
  (ms) =>
    ended(spawnAgent({ command: process.execPath, args: ['-e', 'setInterval(() => {}, 1000)'], [name]: ms }));
const proxy =
  (name: string): Use =>
  async (ms) =>
    (await startFaultProxy('http://127.0.0.1:9', { [name]: ms })).close();
const host =
  (options: (ms: number) => HostSessionOptions): Use =>
  (ms) =>
    ended(createHostSession(createMemoryPair().host, options(ms)));

async function ended(transport: Releases): Promise<void> {
  for (const promise of ['opened', 'closed', 'initialized'])
    void (transport as unknown as Readonly<Record<string, Promise<unknown> | undefined>>)[promise]?.catch(() => {});
  // Long enough for a timer of 1 ms.
  await delay(5);
  transport.abort(new Error('over'));
}

const accounts = createAccounts([{ name: 'a', token: 'sjp_1234567890123456', role: 'driver' } as never]);
const ingress =
  (name: string): Use =>
  async (ms) =>
    createIngress({ log: createMemoryEventLog(), accounts: await accounts, limits: { [name]: ms } }).drain();

/** The options by package and name: their uses, and which of 0 and `Infinity` they refuse. */
const OPTIONS: Readonly<Record<string, { readonly use: readonly Use[]; readonly refuses?: readonly number[] }>> = {
  'core windowMs': { use: [(ms) => coalesceStreamEvents({ windowMs: ms })(() => {})] },
  'core silenceMs': {
    use: [(ms) => startHeartbeat({ onBeat() {}, onSilence() {} }, { silenceMs: ms }).stop()],
  },
  'core timeoutMs': {
    use: [
      async (ms) => {
        const pending = createPendingRequests({ send() {} });
        const asked = pending.request({ subtype: 'made_up' }, { timeoutMs: ms });
        const refusal = asked.catch((error: unknown) => error);
        pending.close(new Error('over'));
        const error = await refusal;
        if (error instanceof RangeError) throw error;
      },
    ],
  },
  'core baseMs': { use: [webSocket('baseMs'), sse('baseMs'), sseWorker('baseMs')] },
  'core capMs': { use: [webSocket('capMs'), sse('capMs'), sseWorker('capMs')] },
  'core connectTimeoutMs': {
    use: [webSocket('connectTimeoutMs'), sse('connectTimeoutMs'), sseWorker('connectTimeoutMs')],
    refuses: [0],
  },
  'core connectDeadlineMs': {
    use: [webSocket('connectDeadlineMs'), sse('connectDeadlineMs'), sseWorker('connectDeadlineMs')],
  },
  'core reconnectDeadlineMs': {
    use: [webSocket('reconnectDeadlineMs'), sse('reconnectDeadlineMs'), sseWorker('reconnectDeadlineMs')],
  },
  'core fallbackAfterMs': {
    use: [
      (ms) =>
        ended(
          connectSession({
            url: URL_OF_SESSION,
            prefer: ['x'],
            options: {},
            fallbackAfterMs: ms,
            schemes: [{ name: 'x', scheme: 'x', sessionUri: String, connect: () => createMemoryPair().host } as never],
          }),
        ),
    ],
  },
  'remote fallbackAfterMs': {
    use: [
      (ms) => ended(openViewer({ url: URL_OF_SESSION, prefer: 'ws', open: socket, fetch: never, fallbackAfterMs: ms })),
    ],
  },
  'host initializeTimeoutMs': { use: [host((ms) => ({ initializeTimeoutMs: ms }))] },
  'host timeoutMs': {
    use: [
      async (ms) => {
        const session = createHostSession(createMemoryPair().host);
        const refusal = session.close({ pending: 'drain', timeoutMs: ms }).catch((error: unknown) => error);
        const first = await Promise.race([refusal, delay(5)]);
        session.abort(new Error('over'));
        if (first instanceof RangeError) throw first;
      },
      host((ms) => ({ onDisconnect: { timeoutMs: ms } })),
    ],
  },
  'host silentMs': { use: [host((ms) => ({ watchdog: { silentMs: ms, onSilent: () => 'wait' } }))], refuses: [0] },
  'host exitGraceMs': {
    use: [(ms) => ended(query({ prompt: 'hi', transport: createMemoryPair().host, exitGraceMs: ms }))],
  },
  'ingress workerTokenMs': { use: [ingress('workerTokenMs')], refuses: [0, Infinity] },
  'ingress ticketMs': { use: [ingress('ticketMs')], refuses: [0, Infinity] },
  'ingress keepaliveMs': { use: [ingress('keepaliveMs')], refuses: [0] },
  'ingress stallTimeoutMs': { use: [ingress('stallTimeoutMs')], refuses: [0] },
  'ingress silenceMs': { use: [ingress('silenceMs')] },
  'ingress afterMs': {
    use: [
      async (ms) => {
        const notify = { url: 'https://127.0.0.1:9', secret: `whsec_${'a'.repeat(44)}`, afterMs: ms };
        await createIngress({ log: createMemoryEventLog(), accounts: await accounts, notify }).drain();
      },
    ],
  },
  'ingress ttlMs': {
    use: [
      async (ms) =>
        createIngress({
          log: createMemoryEventLog(),
          accounts: await accounts,
          cluster: { url: 'http://127.0.0.1:9', ttlMs: ms, forward: never },
        }).drain(),
    ],
    refuses: [0, Infinity],
  },
  'ingress requestTimeoutMs': {
    use: [
      async (ms) =>
        (
          await listen({ log: createMemoryEventLog(), accounts: await accounts, limits: { requestTimeoutMs: ms } })
        ).close(),
    ],
    refuses: [0],
  },
  'ingress maxAgeMs': {
    use: [
      (ms) => createMemoryEventLog({ maxAgeMs: ms }),
      async (ms) => (await openSqliteEventLog({ file: join(folder, 'log.db'), maxAgeMs: ms }))[Symbol.asyncDispose](),
    ],
  },
  'ingress clockToleranceMs': { use: [jwt('clockToleranceMs')], refuses: [Infinity] },
  'ingress coolDownMs': { use: [jwt('coolDownMs')] },
  'log-postgres statementTimeoutMs': { use: [postgres('statementTimeoutMs')], refuses: [0] },
  'log-postgres retryMs': { use: [postgres('retryMs')] },
  'reference-agent commandTimeoutMs': { use: [(ms) => createNodeTools({ commandTimeoutMs: ms })], refuses: [0] },
  'terminal timeoutMs': {
    use: [
      (timeoutMs) =>
        runDoctor(
          { program: 'x', port: 0, url: 'http://127.0.0.1:9', timeoutMs },
          {
            env: {},
            nodeVersion: '20.19.0',
            platform: 'linux',
            stdout: new Writable({ write: (_chunk, _encoding, done) => done() }),
          },
        ),
    ],
    refuses: [0],
  },
  'testkit idleMs': { use: [proxy('idleMs')] },
  'testkit headMs': { use: [proxy('headMs')] },
  'testkit gatherMs': { use: [proxy('gatherMs')] },
  'testkit pieceMs': { use: [proxy('pieceMs')] },
  'transport-sse silenceMs': { use: [sse('silenceMs'), sseWorker('silenceMs')], refuses: [0] },
  'transport-sse postTimeoutMs': { use: [sse('postTimeoutMs'), sseWorker('postTimeoutMs')], refuses: [0] },
  'transport-stdio closeGraceMs': { use: [stdio('closeGraceMs')] },
  'transport-stdio killGraceMs': { use: [stdio('killGraceMs')] },
  'transport-websocket reconnectWindowMs': {
    use: [(ms) => ended(createWebSocketServerTransport({ reconnectWindowMs: ms }))],
  },
  'transport-websocket silenceMs': {
    use: [webSocket('silenceMs'), (ms) => ended(createWebSocketTransport(socket(), { silenceMs: ms }))],
  },
  'remote idleTimeoutMs': {
    use: [
      (ms) =>
        createSessionAgents({
          restart: { maxAttempts: 0 },
          idleTimeoutMs: ms,
          attach: never as never,
          start: never as never,
        }).close(),
    ],
  },
};

/** Names that end in `Ms` and are not options of a user: results, values that were checked before, and limits of tests. */
const OTHERS: Readonly<Record<string, string>> = {
  'adapters durationMs': 'is read',
  'adapters delayMs': 'is read',
  'ingress heldForMs': 'is a result',
  'terminal maxAgeMs': 'is the flag --retain, which parseDuration reads',
  'core retryAfterMs': 'is limited by MAX_RETRY_AFTER_MS',
  'core leastMs': 'is limited by MAX_RETRY_AFTER_MS',
  'transport-websocket retryAfterMs': 'is limited by MAX_RETRY_AFTER_MS',
  'ingress retryAfterMs': 'is limited by MAX_RETRY_AFTER_MS',
  'transport-sse timeoutMs': 'is a constant of the package',
  'terminal idleTimeoutMs': 'is the flag --idle-timeout, which durationOf reads',
  'testkit givesUpWithinMs': 'is a limit of tests',
  'testkit maxSilenceMs': 'is checked by playHost, which needs a tape',
};
/** Options that are not optional, or are written by another type. */
const REQUIRED = ['host silentMs', 'ingress maxAgeMs'];

function jwt(name: string): Use {
  return async (ms) =>
    addJwtAccounts(await accounts, {
      jwks: 'https://127.0.0.1:9/keys',
      issuer: 'i',
      audience: 'a',
      [name]: ms,
    });
}

/** Refuses before it connects. No database is needed for that. */
function postgres(name: string): Use {
  return async (ms) => {
    const error = await openPostgresEventLog({ url: 'postgres://127.0.0.1:9/x', [name]: ms }).catch(
      (reason: unknown) => reason,
    );
    if (error instanceof RangeError) throw error;
  };
}

async function outcome(use: Use, ms: unknown): Promise<'refused' | 'accepted'> {
  try {
    await use(ms as number);
    return 'accepted';
  } catch (error) {
    expect(error).toBeInstanceOf(RangeError);
    expect((error as Error).message).toMatch(/\w+Ms must be a (?:finite )?number of milliseconds/);
    return 'refused';
  }
}

test('every duration among the options of the packages is listed', () => {
  const found = sources.flatMap(({ path, text }) => {
    // `packages/core/src/...`, and `conformance/src/...`.
    const name = path.split('/src/')[0]?.split('/').at(-1);
    return [...text.matchAll(/\b([a-z][A-Za-z]*Ms)\?: /g)].map(([, option]) => `${name} ${option}`);
  });
  const listed = new Set([...Object.keys(OPTIONS), ...Object.keys(OTHERS)]);
  expect(listed).toEqual(new Set([...found, ...REQUIRED]));
});

describe.each(Object.entries(OPTIONS))('%s', (_name, { use, refuses = [] }) => {
  test.each([-1, -Infinity, NaN, '1000', null])('refuses %s', async (ms) => {
    for (const one of use) expect(await outcome(one, ms)).toBe('refused');
  });

  test.each([0, 2 ** 31 - 1, 2 ** 31, 2 ** 33, Infinity])(
    'takes or refuses %s, and sets no timer that overflows',
    async (ms) => {
      const warnings: string[] = [];
      const onWarning = ({ name }: Error) => void warnings.push(name);
      process.on('warning', onWarning);
      onTestFinished(() => void process.off('warning', onWarning));
      for (const one of use) expect(await outcome(one, ms)).toBe(refuses.includes(ms) ? 'refused' : 'accepted');
      await delay(1);
      expect(warnings.filter((name) => name.startsWith('Timeout'))).toEqual([]);
    },
  );
});
