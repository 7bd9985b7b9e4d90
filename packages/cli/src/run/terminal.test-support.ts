import { EventEmitter } from 'node:events';
import { PassThrough, Writable } from 'node:stream';
import { FOLDER } from '../bins.test-support.ts';

/** A terminal with 80 columns that echoes typed lines, like a real terminal. */
export class Terminal extends EventEmitter {
  readonly stdin = Object.assign(new PassThrough(), { isTTY: true });
  readonly stdout;
  readonly stderr;
  readonly env: Record<string, string | undefined>;
  readonly #folder: string;
  screen = '';

  constructor(folder: string, env: Record<string, string> = {}) {
    super();
    this.#folder = folder;
    const output = new Writable({
      write: (chunk, _encoding, done) => {
        this.screen += String(chunk);
        this.emit('output');
        done();
      },
    });
    this.stdout = Object.assign(output, { isTTY: true, columns: 80, rows: 24 });
    this.stderr = this.stdout;
    this.env = { PATH: process.env['PATH'], SJP_HOME: FOLDER, ...env };
  }

  cwd(): string {
    return this.#folder;
  }

  /** Types a line as soon as the screen ends with the question. */
  answers(question: string, line: string): this {
    const type = () => {
      if (!this.screen.endsWith(question)) return;
      this.off('output', type);
      this.screen += `${line}\n`;
      this.stdin.write(`${line}\n`);
    };
    return this.on('output', type);
  }
}
