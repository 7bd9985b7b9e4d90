import { createSession } from '@proto/core';
import { createWebSocketTransport } from '@proto/transport-websocket';

/** The cost of one idle session. */
export interface IdleSession {
  /** Bytes of the heap, without the socket. */
  readonly sessionBytes: number;
  /** CPU time to create one session, in microseconds. */
  readonly makeMicros: number;
}

// Compile the code first, because the memory of compiled code does not belong to a session.
const WARM_UP = 500;

/** An open socket without traffic. */
class SilentSocket extends EventTarget {
  readonly readyState = 1;
  readonly bufferedAmount = 0;
  readonly protocol = '';
  binaryType = 'nodebuffer';
  send(): void {}
  close(): void {}
}

/** Creates idle sessions over WebSockets. Argument: how many. Needs `--expose-gc`. */
export async function run([count = '']: readonly string[]): Promise<IdleSession> {
  const sessions = Number(count);
  const make = () => createSession(createWebSocketTransport(new SilentSocket()));
  const socket = await perObject(sessions, () => new SilentSocket());
  const session = await perObject(sessions, make);
  process.nextTick(() => process.exit());
  return { sessionBytes: session.bytes - socket.bytes, makeMicros: session.micros - socket.micros };
}

async function perObject(count: number, make: () => unknown) {
  const kept: unknown[] = Array.from({ length: WARM_UP }, make);
  const before = await settledHeap();
  const start = process.cpuUsage();
  for (let index = 0; index < count; index++) kept.push(make());
  const { user, system } = process.cpuUsage(start);
  const after = await settledHeap();
  if (kept.length !== WARM_UP + count) throw new Error('an object is missing');
  return { bytes: (after - before) / count, micros: (user + system) / count };
}

async function settledHeap(): Promise<number> {
  for (let round = 0; round < 5; round++) {
    await new Promise(setImmediate);
    globalThis.gc?.();
  }
  return process.memoryUsage().heapUsed;
}
