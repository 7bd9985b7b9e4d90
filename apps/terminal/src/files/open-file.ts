import { once } from 'node:events';
import { open, watch } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

/** How to read a file that another program is still writing. */
export interface FollowOptions {
  /** Whether to wait at the end of the file for more bytes, as `tail -f` does. Default false. */
  readonly follow?: boolean;
  /** Aborting ends the wait: the bytes end at the current end of the file. */
  readonly signal?: AbortSignal;
}

const CHUNK_BYTES = 64 * 1024;
// Not every file system reports changes.
const LOOK_AGAIN_MS = 500;

/**
 * Opens a file for reading. The file `-` is stdin. If the file is truncated to zero while it is followed, reading restarts at its beginning.
 * @throws the system error, with its `code`, if the file cannot be opened
 */
export async function openFile(
  file: string,
  stdin: Readable,
  { follow = false, signal }: FollowOptions = {},
): Promise<AsyncIterable<Uint8Array>> {
  if (file === '-') return stdin;
  const handle = await open(file);
  return follow ? followed(handle, file, signal) : handle.createReadStream();
}

type Handle = Awaited<ReturnType<typeof open>>;

async function* followed(
  handle: Handle,
  file: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array, void, undefined> {
  let position = 0;
  try {
    for (;;) {
      // The wait begins before the read, so that a change between the two is not missed.
      const wait = new AbortController();
      const changed = nextChange(file, signal === undefined ? [wait.signal] : [wait.signal, signal]);
      const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(CHUNK_BYTES), position });
      if (bytesRead > 0) {
        wait.abort();
        position += bytesRead;
        yield buffer.subarray(0, bytesRead);
        continue;
      }
      if (signal?.aborted === true) return;
      await changed;
      const { size } = await handle.stat();
      if (size < position) position = 0;
    }
  } finally {
    await handle.close();
  }
}

/** Fulfils when the file may have changed, when a signal aborts, or after half a second at the latest. Never rejects. */
function nextChange(file: string, signals: readonly AbortSignal[]): Promise<void> {
  const stop = new AbortController();
  const signal = AbortSignal.any([...signals, stop.signal]);
  const ended = [sleep(LOOK_AGAIN_MS, undefined, { signal }), firstChange(file, signal)];
  return Promise.race(ended.map((end) => end.catch(() => {}))).finally(() => stop.abort());
}

async function firstChange(file: string, signal: AbortSignal): Promise<void> {
  try {
    for await (const _ of watch(file, { signal })) return;
  } catch {
    // Not every file can be watched, and a followed file may be removed. The file is then read again after a fixed time.
    if (!signal.aborted) await once(signal, 'abort');
  }
}
