import type { TransportExtensions } from '@proto/core/internal';
import { isResumable, isReplayable, isWatchable, isWorker, type Transport, wrapTransport } from '@proto/core/transport';
import { expect } from 'vitest';
import { numbered, send } from '../sending.ts';
import type { ContractCase } from '../contract-case.ts';

// The compiler checks this list: every new member of the contract must be added here.
const members: Readonly<Record<keyof Transport | keyof TransportExtensions, true>> = {
  name: true,
  hasMessageIds: true,
  opened: true,
  closed: true,
  incoming: true,
  send: true,
  flush: true,
  end: true,
  close: true,
  abort: true,
  resumption: true,
  unacknowledged: true,
  worker: true,
  liveness: true,
  [Symbol.asyncDispose]: true,
};

/**
 * Point 12: optional features of transports are objects with a type guard, or kinds of items. Optional features are neither flags of `send` nor
 * setters.
 */
export const shape: readonly ContractCase[] = [
  {
    point: 12,
    title: 'the transport has the members of the contract, each of its declared type',
    async run(context) {
      const { local } = await context.open();
      expect(local.name).toMatch(/./);
      expect(typeof local.hasMessageIds).toBe('boolean');
      for (const promise of [local.opened, local.closed]) expect(typeof promise.then).toBe('function');
      expect(typeof local.incoming[Symbol.asyncIterator]).toBe('function');
      expect(methodsMissing(local, ['send', 'flush', 'end', 'close', 'abort', Symbol.asyncDispose])).toEqual([]);
      expect(local.send.length, 'send takes a batch and a signal').toBeLessThanOrEqual(2);
    },
  },
  {
    point: 12,
    title: 'the transport has no other methods and no setters',
    async run(context) {
      const { local } = await context.open();
      expect(further(local)).toEqual([]);
    },
  },
  {
    point: 12,
    title: 'each extension of the contract is complete',
    async run(context) {
      const { local } = await context.open();
      if (isResumable(local)) {
        expect(methodsMissing(local.resumption, ['acknowledge'])).toEqual([]);
        expect('cursor' in local.resumption).toBe(true);
      }
      if (isReplayable(local)) expect(methodsMissing(local.unacknowledged, ['batches'])).toEqual([]);
      if (isWorker(local)) {
        const { worker } = local;
        expect(methodsMissing(worker, ['reportState', 'reportMetadata', 'reportDelivery'])).toEqual([]);
        expect(typeof worker.restored.then).toBe('function');
        expect(methodsMissing(worker.internalEvents, ['append', 'read', 'flush'])).toEqual([]);
      }
      if (isWatchable(local)) {
        expect('lastByteAt' in local.liveness).toBe(true);
        expect(typeof local.liveness.isPaused).toBe('boolean');
      }
    },
  },
  {
    point: 12,
    title: 'a wrapper has the extensions of the wrapped transport',
    async run(context) {
      const { local } = await context.connect();
      const wrapped = wrapTransport(local, {});
      const guards = [isResumable, isReplayable, isWorker, isWatchable];
      expect(guards.map((guard) => guard(wrapped))).toEqual(guards.map((guard) => guard(local)));
    },
  },
  {
    point: 12,
    title: 'a notice arrives as a notice item, in order with the other items',
    needs: ['notify'],
    async run(context) {
      const pair = await context.connect();
      const here = context.read(pair.local);
      await context.within(send(pair.remote, numbered(1)), 'the other side sends');
      await here.take(1);
      await context.notify(pair);
      await here.until(() => here.items.some(({ kind }) => kind === 'notice'), 'the notice arrives');
      await context.within(send(pair.remote, numbered(2)), 'the other side sends');
      await here.take(2);
      const items = here.items.filter(({ kind }) => kind !== 'link');
      expect(items.map(({ kind }) => kind)).toEqual(['message', 'notice', 'message']);
      const [, notice] = items;
      expect(notice).toEqual({ kind: 'notice', event: expect.stringMatching(/./), data: expect.anything() });
    },
  },
];

function methodsMissing<T extends object>(object: T, names: readonly (keyof T)[]): (keyof T)[] {
  return names.filter((name) => typeof object[name] !== 'function');
}

/** Returns the methods and settable members that are not in the contract. */
function further(transport: Transport): string[] {
  const found: string[] = [];
  for (
    let level: object | null = transport;
    level !== null && level !== Object.prototype;
    level = Object.getPrototypeOf(level)
  ) {
    for (const [name, { value, set }] of Object.entries(Object.getOwnPropertyDescriptors(level))) {
      if (set !== undefined) found.push(`set ${name}`);
      else if (typeof value === 'function' && name !== 'constructor' && !Object.hasOwn(members, name))
        found.push(`${name}()`);
    }
  }
  return found;
}
