import { createHash, createHmac, KeyObject, timingSafeEqual } from 'node:crypto';
import type { Scheduler } from './scheduler.ts';

/**
 * Replaces functions of the platform for the time of one simulation. Random numbers and ids come from the seed. Signing and hashing run in this thread,
 * because the speed of another thread would decide the order of events. The code must get its timers through options: if it uses a timer of the
 * platform, a problem is added. Returns the function that restores the platform.
 */
export function replacePlatform(scheduler: Scheduler, problems: string[]): () => void {
  const random = scheduler.random('platform');
  const byte = () => Math.floor(random() * 256);
  const hmac = (key: CryptoKey, data: Uint8Array) =>
    new Uint8Array(createHmac('sha256', KeyObject.from(key)).update(data).digest());
  const isBeginning = (stack = '') => /node:internal|vitest/.test(stack.split('\n')[2] ?? '');
  const stray = (name: string, given: (...args: never[]) => unknown) =>
    function strayed(...args: never[]): unknown {
      const { stack } = new Error(name);
      if (isBeginning(stack)) return given(...args);
      problems.push(`${name} of the platform was used: ${stack}`);
      return undefined;
    };
  return replaced([
    [
      crypto.subtle,
      {
        sign: async (_: unknown, key: CryptoKey, data: Uint8Array) => hmac(key, data).buffer,
        verify: async (_: unknown, key: CryptoKey, signature: Uint8Array, data: Uint8Array) =>
          signature.length === 32 && timingSafeEqual(hmac(key, data), signature),
        digest: async (_: unknown, data: Uint8Array) =>
          new Uint8Array(createHash('sha256').update(data).digest()).buffer,
      },
    ],
    [
      crypto,
      {
        randomUUID: () => uuidOf(byte),
        getRandomValues: (array: NodeJS.TypedArray) => {
          const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
          for (let at = 0; at < bytes.length; at++) bytes[at] = byte();
          return array;
        },
      },
    ],
    [Math, { random }],
    [Date, { now: () => scheduler.now() }],
    [performance, { now: () => scheduler.time }],
    [
      globalThis,
      {
        setImmediate: (run: () => void) => scheduler.after(0, run),
        setTimeout: stray('setTimeout', globalThis.setTimeout),
        setInterval: stray('setInterval', globalThis.setInterval),
      },
    ],
  ]);
}

/** Replaces own or inherited members of objects, and returns the function that undoes this. */
function replaced(changes: readonly (readonly [object, Readonly<Record<string, unknown>>])[]): () => void {
  const undo = changes.flatMap(([object, members]) =>
    Object.entries(members).map(([name, value]) => {
      const before = Object.getOwnPropertyDescriptor(object, name);
      Object.defineProperty(object, name, { value, configurable: true, writable: true });
      return () => {
        if (before === undefined) Reflect.deleteProperty(object, name);
        else Object.defineProperty(object, name, before);
      };
    }),
  );
  return () => {
    for (const one of undo) one();
  };
}

function uuidOf(byte: () => number): string {
  const digits = Array.from({ length: 16 }, () => byte().toString(16).padStart(2, '0')).join('');
  const [a, b, c, d, e] = [
    digits.slice(0, 8),
    digits.slice(8, 12),
    digits.slice(13, 16),
    digits.slice(17, 20),
    digits.slice(20),
  ];
  return `${a}-${b}-4${c}-8${d}-${e}`;
}
