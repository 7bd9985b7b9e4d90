import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('killable-server.mjs', import.meta.url));

/** A server in its own process; when the process has ended, another one starts on the same file. */
export class SocketServer {
  readonly #file: string;
  readonly #token: string;
  #child: ChildProcess | undefined;
  #closed = false;
  /** The address of the current or the last process. */
  url = 'http://127.0.0.1:9';
  /** Settles when the current process listens. */
  up: Promise<void>;

  constructor(file: string, token: string) {
    this.#file = file;
    this.#token = token;
    this.up = this.#begin();
  }

  end(signal: NodeJS.Signals): void {
    this.#child?.kill(signal);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.up;
    const child = this.#child as ChildProcess;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }

  async #begin(): Promise<void> {
    const child = spawn(process.execPath, [PROGRAM, this.#file, this.#token], { stdio: ['ignore', 'pipe', 'inherit'] });
    this.#child = child;
    child.once('exit', () => {
      if (!this.#closed) this.up = this.#begin();
    });
    const [line] = (await Promise.race([once(child.stdout, 'data'), once(child, 'exit')])) as [Buffer | number | null];
    if (Buffer.isBuffer(line)) this.url = line.toString().trim();
  }
}
