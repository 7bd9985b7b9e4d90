import { encodeBatch } from './lines/batch.ts';
import { defineTransport, type TransportOptions } from './define-transport.ts';
import { incomingMessage } from './lines/incoming.ts';
import type { DriverExtensions, TransportExtensions, WatchableTransport } from './transport-extensions.ts';
import type { Batch, IncomingMessage, TransportControl, TransportDriver } from './transport.ts';

/** A transport on a driver that follows a script and records its calls. */
export interface Scripted {
  readonly transport: WatchableTransport & TransportExtensions;
  readonly control: TransportControl;
  /** The calls of the driver in order; `write` with the messages. */
  readonly calls: string[];
}

export type Script = Partial<TransportDriver> & DriverExtensions;

/** By default, the driver accepts all batches at once, and releases the link on `close` and `abort`. */
export function scripted(
  script: Script | ((control: TransportControl) => Script) = {},
  options: TransportOptions = {},
): Scripted {
  const calls: string[] = [];
  let control!: TransportControl;
  const transport = defineTransport(
    'scripted',
    (given) => {
      control = given;
      const played = typeof script === 'function' ? script(given) : script;
      const { write, flush, end, close, abort, ...rest } = played;
      return {
        ...rest,
        get resumption() {
          return played.resumption;
        },
        write(batch) {
          calls.push(`write ${textsOf(batch).join(' ')}`);
          return write?.(batch);
        },
        flush() {
          calls.push('flush');
          return flush?.();
        },
        end() {
          calls.push('end');
          return end?.();
        },
        close() {
          calls.push('close');
          return close === undefined ? given.closed() : close();
        },
        abort(reason) {
          calls.push('abort');
          return abort === undefined ? given.closed() : abort(reason);
        },
        pause() {
          calls.push('pause');
          rest.pause?.();
        },
        resume() {
          calls.push('resume');
          rest.resume?.();
        },
      };
    },
    options,
  );
  return { transport, control, calls };
}

export const never: Promise<never> = new Promise(() => {});

export function deferred(): { promise: Promise<void>; resolve: () => void; reject: (reason: unknown) => void } {
  let resolve!: () => void;
  let reject!: (reason: unknown) => void;
  const promise = new Promise<void>((fulfil, refuse) => {
    resolve = fulfil;
    reject = refuse;
  });
  return { promise, resolve, reject };
}

export function numbered(n: number): Batch {
  return encodeBatch({ type: 'n', n });
}

export function received(n: number): IncomingMessage {
  return incomingMessage(JSON.stringify({ type: 'n', n }));
}

export async function stateOf(promise: Promise<unknown>): Promise<'pending' | 'fulfilled' | 'rejected'> {
  let state: 'pending' | 'fulfilled' | 'rejected' = 'pending';
  promise.then(
    () => (state = 'fulfilled'),
    () => (state = 'rejected'),
  );
  await new Promise((resolve) => setImmediate(resolve));
  return state;
}

function textsOf(batch: Batch): unknown[] {
  return Array.from(batch.messages(), ({ text }) => (JSON.parse(text) as { n?: unknown }).n);
}
