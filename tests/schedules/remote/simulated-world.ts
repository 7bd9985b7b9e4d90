import { createHmac, KeyObject, timingSafeEqual } from 'node:crypto';
import { createMemoryEventLog } from '@proto/ingress';
import { FakeClock } from '../../../packages/transport-sse/src/fake-clock.test-support.ts';
import { SimulatedLink } from './simulated-link.ts';
import { SimulatedServer } from './simulated-server.ts';
import type { World } from './world.ts';

/** Everything in this process, on a clock of its own: hours in milliseconds, and the same schedule is the same each time. */
export function openSimulatedWorld(): World {
  const restore = signAtOnce();
  const clock = new FakeClock();
  const log = createMemoryEventLog({ now: () => clock.now() });
  const links: SimulatedLink[] = [];
  const begin = () => new SimulatedServer(log, clock, 'a secret that is long enough for HS256');
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
    log,
    token: 'driver',
    timing: { retryMs: 1000, silenceMs: 45_000, answerMs: 30_000 },
    link() {
      const link = new SimulatedLink(() => server);
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
      mend() {
        if (draining) replace();
      },
    },
    async moment() {
      for (let turn = 0; turn < 7; turn++) await Promise.resolve();
    },
    pass: (ms) => clock.pass(ms),
    until: (check, what) => clock.until(check, what),
    async close() {
      server.kill();
      await clock.settle();
      restore();
    },
  };
}

/** Signs and verifies tokens without another thread, whose time nobody controls. Gives what undoes it. */
function signAtOnce(): () => void {
  const { subtle } = crypto;
  const sign = (key: CryptoKey, data: Uint8Array) =>
    new Uint8Array(createHmac('sha256', KeyObject.from(key)).update(data).digest());
  Object.assign(subtle, {
    sign: async (_: unknown, key: CryptoKey, data: Uint8Array) => sign(key, data).buffer,
    verify: async (_: unknown, key: CryptoKey, signature: Uint8Array, data: Uint8Array) =>
      signature.length === 32 && timingSafeEqual(sign(key, data), signature),
  });
  return () => {
    Reflect.deleteProperty(subtle, 'sign');
    Reflect.deleteProperty(subtle, 'verify');
  };
}
