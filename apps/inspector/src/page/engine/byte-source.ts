/** The bytes of a recording, which can be read by range. The source may grow. */
export interface ByteSource {
  readonly name: string;
  /** The number of bytes that can be read now. */
  readonly length: number;
  /** Reads the bytes from `from` up to `to` (exclusive), or fewer. Rejects if the source cannot be read. */
  read(from: number, to: number): Promise<Uint8Array>;
  /** Waits until the source is longer than `place`. Fulfils with false if the source has ended before that. */
  waitFor(place: number): Promise<boolean>;
}

/** Returns a source for a file that was dropped on the page or chosen by the user. */
export function fileSource(file: File): ByteSource {
  return {
    name: file.name,
    length: file.size,
    read: async (from, to) => new Uint8Array(await file.slice(from, to).arrayBuffer()),
    waitFor: async (place) => place < file.size,
  };
}

/** The recording of a session on the page's server. */
export class SessionSource implements ByteSource {
  readonly name: string;
  readonly #url: string;
  #length = 0;
  #isEnded = false;
  #wake: () => void = () => {};

  constructor(name: string, url: string) {
    this.name = name;
    this.#url = url;
  }

  get length(): number {
    return this.#length;
  }

  /** Sets the state of the session, as reported by the server. */
  setState(state: { readonly bytes: number; readonly isEnded: boolean }): void {
    this.#length = state.bytes;
    this.#isEnded = state.isEnded;
    this.#wake();
  }

  /** Requests a range of bytes. Tries again if the server does not answer or fails (status 500 and above). Rejects if the server refuses. */
  async read(from: number, to: number): Promise<Uint8Array> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#ask(from, to);
      } catch (error) {
        if (attempt === ATTEMPTS || error instanceof Refused) throw error;
        await new Promise((resolve) =>
          setTimeout(resolve, Math.min(FIRST_RETRY_MS * 2 ** (attempt - 1), MAX_RETRY_MS)),
        );
      }
    }
  }

  async #ask(from: number, to: number): Promise<Uint8Array> {
    const response = await fetch(this.#url, { headers: { range: `bytes=${from}-${to - 1}` } });
    if (response.status === 206) return new Uint8Array(await response.arrayBuffer());
    const { error } = (await response.json().catch(() => ({}))) as { readonly error?: { readonly message?: string } };
    const message = error?.message ?? `the server answered with status ${response.status}`;
    throw response.status < 500 ? new Refused(message) : new Error(message);
  }

  async waitFor(place: number): Promise<boolean> {
    while (this.#length <= place) {
      if (this.#isEnded) return false;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
    return true;
  }
}

/** Thrown if the server refuses a read, so that another attempt cannot succeed. */
class Refused extends Error {}

const ATTEMPTS = 6;
const FIRST_RETRY_MS = 250;
const MAX_RETRY_MS = 8000;
const RANGE_BYTES = 4 * 2 ** 20;
const PIECE_BYTES = 128 * 1024;

/** Reads a source from its beginning, in pieces with a pause after each, so that other work can run. */
export async function* piecesOf(source: ByteSource, signal: AbortSignal): AsyncGenerator<Uint8Array, void> {
  for (let at = 0; await source.waitFor(at); ) {
    const bytes = await source.read(at, Math.min(source.length, at + RANGE_BYTES));
    for (let from = 0; from < bytes.length; from += PIECE_BYTES) {
      if (signal.aborted) return;
      yield bytes.subarray(from, from + PIECE_BYTES);
      await pause();
    }
    if (bytes.length === 0) return;
    at += bytes.length;
  }
}

/** Waits until pending messages have been handled. A timer of 0 ms would take 4 ms. */
export function pause(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}
