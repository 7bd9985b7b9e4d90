import { createHash, createHmac, KeyObject, timingSafeEqual } from 'node:crypto';
import { FakeClock } from '../../../packages/transport-sse/src/fake-clock.test-support.ts';
import { SimulatedLink } from './simulated-link.ts';
import { createSimulatedLog } from './simulated-log.ts';
import { SimulatedRights } from './simulated-rights.ts';
import { SimulatedServer } from './simulated-server.ts';
import type { World } from './world.ts';

/** A condition that has not come true by then never will. */
const LONG_MS = 3_600_000;

/** Runs everything in this process on a simulated clock: hours take milliseconds, and a schedule always runs in the same way. */
export function openSimulatedWorld(): World {
  const restore = signAtOnce();
  const clock = new FakeClock();
  const { log, kept } = createSimulatedLog(() => clock.now());
  const rights = new SimulatedRights();
  const links: SimulatedLink[] = [];
  const problems: string[] = [];
  const begin = () => new SimulatedServer(log, clock, rights, 'a secret that is long enough for HS256');
  let server = begin();
  let draining = false;
  const replace = () => {
    for (const link of links) link.cut('rst', 0);
    server.kill();
    server = begin();
    draining = false;
  };
  return {
    clock,
    kept,
    rights,
    problems,
    timing: { retryMs: 1000, silenceMs: 45_000, answerMs: 30_000 },
    link() {
      const link = new SimulatedLink(
        () => server,
        () => problems.push('the server keeps writing to a stalled reader'),
      );
      links.push(link);
      return link;
    },
    server: {
      kill: replace,
      drain() {
        const drained = server;
        draining = true;
        void drained.drain().then(() => {
          if (drained === server) replace();
        });
      },
      failWrite: () => server.failWrite(),
      hang: () => server.hang(),
      mend() {
        if (draining) replace();
      },
    },
    async moment() {
      for (let turn = 0; turn < 7; turn++) await Promise.resolve();
    },
    pass: (ms) => clock.pass(ms),
    async until(check, what) {
      const end = clock.now() + LONG_MS;
      await clock.until(() => check() || clock.now() > end, what);
      if (!check()) throw new Error(`this has not happened within an hour: ${what}`);
    },
    async close() {
      server.kill();
      await clock.settle();
      restore();
    },
  };
}

/** Makes signing, verifying and digesting synchronous, because the time of other threads cannot be controlled. Returns a function that undoes this. */
function signAtOnce(): () => void {
  const { subtle } = crypto;
  const sign = (key: CryptoKey, data: Uint8Array) =>
    new Uint8Array(createHmac('sha256', KeyObject.from(key)).update(data).digest());
  Object.assign(subtle, {
    sign: async (_: unknown, key: CryptoKey, data: Uint8Array) => sign(key, data).buffer,
    verify: async (_: unknown, key: CryptoKey, signature: Uint8Array, data: Uint8Array) =>
      signature.length === 32 && timingSafeEqual(sign(key, data), signature),
    digest: async (_: unknown, data: Uint8Array) => new Uint8Array(createHash('sha256').update(data).digest()).buffer,
  });
  return () => {
    Reflect.deleteProperty(subtle, 'sign');
    Reflect.deleteProperty(subtle, 'verify');
    Reflect.deleteProperty(subtle, 'digest');
  };
}
