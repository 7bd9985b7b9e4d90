import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';

import { cutText } from '@proto/core/framing';
import { readLines } from './read-lines.ts';

const MAX_DIAGNOSTICS_CHARACTERS = 2000;

export interface ProcessExit {
  readonly code: number | null;
  readonly description: string;
}

export class ProgramProcess {
  readonly exit: Promise<ProcessExit>;
  readonly #child: ChildProcess;
  readonly #isGroup = process.platform !== 'win32';
  #diagnostics = '';
  #hasExited = false;

  /** `onLine` is called with each line of standard output. */
  constructor(
    command: readonly string[],
    environment: Readonly<Record<string, string>>,
    onLine: (line: string) => void,
  ) {
    const [file = '', ...args] = command;
    this.#child = spawn(file, args, {
      env: { ...process.env, ...environment },
      // The program runs in a separate process group, so that everything it has started can be ended with it.
      detached: this.#isGroup,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.#stdin.on('error', () => {});
    readLines(this.#child.stdout as Readable, onLine);
    (this.#child.stderr as Readable).setEncoding('utf8').on('data', (text: string) => {
      this.#diagnostics = cutText(this.#diagnostics + text, -MAX_DIAGNOSTICS_CHARACTERS);
    });
    this.exit = new Promise((resolve) => {
      this.#child.on('error', (error) => resolve(this.#ended(null, `could not be started: ${error.message}`)));
      this.#child.on('close', (code, signal) =>
        resolve(this.#ended(code, `ended with ${signal ?? `exit code ${code}`}`)),
      );
    });
  }

  get #stdin(): Writable {
    return this.#child.stdin as Writable;
  }

  get hasExited(): boolean {
    return this.#hasExited;
  }

  /** In ASCII, because line readers in some languages also split at U+2028 and similar characters. */
  write(value: unknown): void {
    if (this.#hasExited) throw new Error('The program has ended.');
    this.#stdin.write(`${asAscii(JSON.stringify(value))}\n`);
  }

  /** Ends the program's input, so that a program that waits for lines exits. */
  endInput(): void {
    this.#stdin.end();
  }

  /** Also ends everything that the process has started. */
  kill(): void {
    const { pid } = this.#child;
    if (pid === undefined || this.#hasExited) return;
    try {
      process.kill(this.#isGroup ? -pid : pid, 'SIGKILL');
    } catch {
      // The process has ended in the meantime.
    }
  }

  #ended(code: number | null, how: string): ProcessExit {
    this.#hasExited = true;
    const said = this.#diagnostics.trim();
    return { code, description: said === '' ? how : `${how}; its standard error ends with: ${said}` };
  }
}

function asAscii(json: string): string {
  return json.replaceAll(/[^\n -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
