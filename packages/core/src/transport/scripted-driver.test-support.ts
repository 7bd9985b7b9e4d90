import { encodeBatch } from './lines/batch.ts';
import { defineTransport, type TransportOptions } from './define-transport.ts';
import { incomingMessage } from './lines/incoming.ts';
import type { DriverExtensions, TransportExtensions, WatchableTransport } from './transport-extensions.ts';
import type { Batch, IncomingMessage, TransportControl, TransportDriver } from './transport.ts';

/** A transport on a driver that does what a test says and keeps what was asked of it. */
export interface Scripted {
  readonly transport: WatchableTransport & TransportExtensions;
  /** As the driver's medium: what happens to the link. */
  readonly control: TransportControl;
  /** The driver's methods in the order of their calls; `write` with the messages. */
  readonly calls: string[];
}

/** What a test says of the driver. */
export type Script = Partial<TransportDriver> & DriverExtensions;

/** The driver takes everything at once and lets go when it is told to, unless the script says otherwise. */
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

/** Never settles. */
export const never: Promise<never> = new Promise(() => {});

/** A promise and how to settle it. */
export function deferred(): { promise: Promise<void>; resolve: () => void; reject: (reason: unknown) => void } {
  let resolve!: () => void;
  let reject!: (reason: unknown) => void;
  const promise = new Promise<void>((fulfil, refuse) => {
    resolve = fulfil;
    reject = refuse;
  });
  return { promise, resolve, reject };
}

/** A message that is told apart by its number. */
export function numbered(n: number): Batch {
  return encodeBatch({ type: 'n', n });
}

/** The same as it comes in. */
export function received(n: number): IncomingMessage {
  return incomingMessage(JSON.stringify({ type: 'n', n }));
}

/** What a promise has come to when everything that could happen by itself has happened. */
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
