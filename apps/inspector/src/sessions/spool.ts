import { closeSync, fstatSync, fchmodSync, mkdtempSync, openSync, read, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { encodeLine } from '@proto/core/framing';

const readAt = promisify(read);

const DEFAULT_MAX_SPOOL_BYTES = 4 * 2 ** 30;
const FLUSH_LENGTH = 64 * 1024;

/** Where a spool keeps its recording, how large the recording may get, and who is notified of new entries. */
export interface SpoolOptions {
  /** The file of the recording, which is kept. Default: a file in a new private folder, which is removed at the end. */
  readonly path?: string | undefined;
  /** The maximum size of the recording, in bytes. Later entries are not recorded. Default 4 GiB. */
  readonly maxBytes?: number | undefined;
  /** Called when more can be read, and when the recording stops early. */
  readonly onChange: () => void;
}

/** The recording of a live session: a file that is written at its end and can be read at any position. Only its owner can read it. */
export class Spool {
  readonly #file: number;
  readonly #folder: string | undefined;
  readonly #onChange: () => void;
  readonly #maxBytes: number;
  #lines = '';
  #bytes = 0;
  #timer: NodeJS.Immediate | undefined;
  #trouble: string | undefined;
  #isClosed = false;

  /** @throws the error of the file system if the file cannot be created. */
  constructor({ path, maxBytes = DEFAULT_MAX_SPOOL_BYTES, onChange }: SpoolOptions) {
    this.#folder = path === undefined ? mkdtempSync(join(tmpdir(), 'sjp-inspect-')) : undefined;
    this.#file = openSync(path ?? join(this.#folder as string, 'session.jsonl'), 'w+', 0o600);
    // An existing file may have been readable for other users.
    if (fstatSync(this.#file).isFile()) fchmodSync(this.#file, 0o600);
    this.#maxBytes = maxBytes;
    this.#onChange = onChange;
  }

  /** The number of bytes that can be read. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Why the recording stopped before the end of the session; undefined while the recording continues. */
  get trouble(): string | undefined {
    return this.#trouble;
  }

  /** Adds lines of a recording, each with its LF. The lines become readable after a short time. */
  write(lines: string): void {
    if (this.#trouble !== undefined || this.#isClosed) return;
    this.#lines += lines;
    if (this.#lines.length > FLUSH_LENGTH) this.flush();
    else this.#timer ??= setImmediate(() => this.flush());
  }

  add(entry: object): void {
    this.write(encodeLine(entry));
  }

  /** Makes the added lines readable now. */
  flush(): void {
    clearImmediate(this.#timer);
    this.#timer = undefined;
    if (this.#lines === '' || this.#isClosed) return;
    const bytes = Buffer.from(this.#lines);
    this.#lines = '';
    if (this.#bytes + bytes.length > this.#maxBytes) {
      this.#trouble = `the recording stopped at its limit of ${this.#maxBytes} bytes; the session continues`;
    } else {
      this.#append(bytes);
    }
    this.#onChange();
  }

  #append(bytes: Uint8Array): void {
    try {
      for (let at = 0; at < bytes.length; ) at += writeSync(this.#file, bytes, at, bytes.length - at, this.#bytes + at);
      this.#bytes += bytes.length;
    } catch (error) {
      // The session must not end because a disk is full.
      this.#trouble = `the recording stopped: ${(error as Error).message}; the session continues`;
    }
  }

  async read(from: number, to: number): Promise<Uint8Array> {
    if (this.#isClosed) throw new Error('the recording of this session is closed');
    const length = Math.max(0, Math.min(to, this.#bytes) - from);
    const { bytesRead, buffer } = await readAt(this.#file, Buffer.allocUnsafe(length), 0, length, from);
    return buffer.subarray(0, bytesRead);
  }

  /** Writes the remaining entries, and closes the file. Removes the file if no path was given. */
  close(): void {
    if (this.#isClosed) return;
    this.flush();
    this.#isClosed = true;
    closeSync(this.#file);
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true });
  }
}
