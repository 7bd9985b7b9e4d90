import { type FileHandle, open } from 'node:fs/promises';
import {
  ChangeListeners,
  type InspectedSession,
  type SessionAction,
  SessionActionError,
  type SessionState,
} from './inspected-session.ts';

// Not every file system reports changes, so the length of the file is read regularly.
const LOOK_AGAIN_MS = 500;

/** A recording in a file. A growing file is followed while a page shows it. */
export class FileSession implements InspectedSession {
  readonly #file: FileHandle;
  readonly #listeners = new ChangeListeners();
  #bytes: number;
  #timer: NodeJS.Timeout | undefined;
  #trouble: string | undefined;

  private constructor(file: FileHandle, bytes: number) {
    this.#file = file;
    this.#bytes = bytes;
  }

  /** Opens a file. Rejects with the error of the file system, and with `EISDIR` if the path is not a file. */
  static async open(path: string): Promise<FileSession> {
    const file = await open(path, 'r');
    const facts = await file.stat();
    if (facts.isFile()) return new FileSession(file, facts.size);
    await file.close();
    throw Object.assign(new Error(`${path} is not a file`), { code: 'EISDIR' });
  }

  get state(): SessionState {
    return {
      bytes: this.#bytes,
      isEnded: false,
      trouble: this.#trouble,
      held: [],
      rights: { send: false, hold: false },
    };
  }

  async read(from: number, to: number): Promise<Uint8Array> {
    const { buffer, bytesRead } = await this.#file.read(Buffer.allocUnsafe(to - from), 0, to - from, from);
    return buffer.subarray(0, bytesRead);
  }

  onChange(listener: () => void): () => void {
    const remove = this.#listeners.add(listener);
    this.#timer ??= setInterval(() => void this.#look(), LOOK_AGAIN_MS).unref();
    return () => {
      remove();
      if (this.#listeners.count === 0) this.#stopLooking();
    };
  }

  async act(_action: SessionAction): Promise<void> {
    throw new SessionActionError('not-possible', 'a recording in a file is read-only');
  }

  async close(): Promise<void> {
    this.#stopLooking();
    await this.#file.close();
  }

  #stopLooking(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  async #look(): Promise<void> {
    const size = await this.#file.stat().then(
      (facts) => facts.size,
      () => undefined,
    );
    if (size === undefined || size === this.#bytes) return;
    // A file that has shrunk no longer contains the part that was already read.
    if (size < this.#bytes)
      this.#trouble = 'the file has become shorter: reload the page to read it from the beginning';
    this.#bytes = size;
    this.#listeners.call();
  }
}
