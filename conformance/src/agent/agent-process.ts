import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

import { cutText } from '@proto/core/framing';
import { LONGEST_TIMER_MS } from '@proto/core/network';
import { Inbox, isObject, type Party } from '@proto/testkit/steps';

import { type OutputLine, OutputLines } from './output-lines.ts';
import { killAll, processesBelow } from './process-tree.ts';
import { type Message, parseJson, type SessionEvent } from './session-log.ts';
import { UnreadTime } from './unread-time.ts';

export interface AgentLaunch {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Milliseconds since the start of the case. */
  readonly now: () => number;
  /** Returns the answer to an incoming message, if the message must be answered immediately. */
  readonly served?: (message: Message) => unknown;
}

export interface AgentExit {
  readonly code: number | null;
  readonly signal: string | null;
}

const MAX_STDERR_CHARACTERS = 64 * 1024;
// An agent that writes endlessly must not use up the memory of the suite.
const MAX_OUTPUT_BYTES = 128 * 1024 * 1024;
const PIECE_MS = 2;
// An agent that gets no CPU time reads several pieces at once, so the suite waits longer where a character is cut.
const CUT_CHARACTER_MS = 50;
// A process that outlives the agent may keep the output open. Output that arrives later than this is not read.
const OUTPUT_AFTER_EXIT_MS = 1000;

interface Pieces {
  readonly size: number;
  readonly every: number | undefined;
  readonly isLast: boolean;
}

/** Whether a byte is not the first byte of a character in UTF-8. */
function continuesCharacter(byte = 0): boolean {
  return (byte & 0xc0) === 0x80;
}

export class AgentProcess implements Party {
  readonly name = 'agent';
  readonly inbox = new Inbox();
  readonly events: SessionEvent[] = [];
  readonly args: readonly string[];
  /** Fulfils when the process has exited and all its output has been read. Rejects if the process could not be started. */
  readonly exited: Promise<AgentExit>;
  signalled = false;
  /** Whether a step has sent the process a signal. If so, the agent may have sent messages after the signal. */
  signalledByStep = false;
  /** Whether the suite has closed its end of the output stream. */
  unread = false;
  /** Whether the case specifies how the process ends. */
  endExpected = false;
  stderr = '';
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #launch: AgentLaunch;
  readonly #unread = new UnreadTime();
  /** Fulfils when everything that is sent in pieces has been sent, so that nothing is sent between two pieces. */
  #sendingPieces: Promise<void> | undefined;
  #lines = new OutputLines();
  #outputBytes = 0;
  #ended: AgentExit | undefined;
  #below: ReturnType<typeof processesBelow> = [];

  constructor(launch: AgentLaunch) {
    this.#launch = launch;
    this.args = launch.args;
    const { command, args, cwd, env } = launch;
    // The agent runs in a separate process group, so that everything it starts can be ended together with it.
    const options = { cwd, env, detached: process.platform !== 'win32' };
    const isScript = /\.[cm]?js$/.test(command);
    this.#child = isScript ? spawn(process.execPath, [command, ...args], options) : spawn(command, args, options);
    this.#child.stdin.on('error', () => {
      // The agent has closed its input. The step that waits for a message then reports the failure.
    });
    this.#child.stdout.on('data', (chunk: Buffer) => this.#read(chunk));
    this.#child.stderr.on('data', (chunk: Buffer) => {
      this.stderr = cutText(this.stderr + chunk.toString(), -MAX_STDERR_CHARACTERS);
    });
    this.exited = this.#untilExit();
    this.exited.catch(() => {});
  }

  /** `undefined` while the process runs. */
  get exit(): AgentExit | undefined {
    return this.#ended;
  }

  async sendText(text: string): Promise<void> {
    await this.#sendingPieces;
    // Nothing can be sent after the end of the input, so that an answer that comes too late is not an answer.
    if (this.#child.stdin.writableEnded) return;
    this.events.push({ kind: 'sent', ...this.#now(), text });
    await this.#write(Buffer.from(text));
  }

  /**
   * Sends bytes in pieces of the given size, with a pause of `every` milliseconds after each of them. Answers to requests that arrive in the meantime
   * are sent after the last piece. With `isLast`, the input ends after the last piece.
   */
  async sendBytes(bytes: Buffer, { size, every, isLast }: Pieces): Promise<void> {
    this.events.push({ kind: 'sent', ...this.#now(), text: bytes.toString() });
    this.#sendingPieces = this.#sendPieces(bytes, size, every).then(() => {
      if (isLast) this.closeInput();
    });
    await this.#sendingPieces;
  }

  async #sendPieces(bytes: Buffer, size: number, every: number | undefined): Promise<void> {
    for (let at = 0; at < bytes.length; at += size) {
      await this.#write(bytes.subarray(at, at + size));
      // Gives the reader time to read the piece separately, because a pipe joins pieces that are written before the reader reads.
      const pause = every ?? (continuesCharacter(bytes[at + size]) ? CUT_CHARACTER_MS : PIECE_MS);
      await sleep(Math.min(pause, LONGEST_TIMER_MS));
    }
  }

  closeInput(): void {
    if (this.events.every(({ kind }) => kind !== 'input-ended'))
      this.events.push({ kind: 'input-ended', ...this.#now() });
    this.#child.stdin.end();
  }

  stopReading(forEver: boolean): void {
    this.unread ||= forEver;
    if (forEver) this.#child.stdout.destroy();
    else this.#child.stdout.pause();
    this.#unread.isPaused = true;
  }

  readAgain(): void {
    this.#unread.isPaused = false;
    this.#child.stdout.resume();
  }

  signal(name: NodeJS.Signals): void {
    this.signalled = this.signalledByStep = true;
    this.rememberProcesses();
    this.#child.kill(name);
  }

  /** Records the processes that the agent has started, because they can no longer be found after it has exited. */
  rememberProcesses(): ReturnType<typeof processesBelow> {
    if (this.#child.pid !== undefined && this.#ended === undefined) this.#below = processesBelow(this.#child.pid);
    return this.#below;
  }

  /** Also ends everything that the process has started. */
  async kill(): Promise<void> {
    if (this.#child.pid === undefined) return;
    if (this.#ended === undefined) this.signalled = true;
    this.rememberProcesses();
    killAll(this.#child.pid, this.#below);
    await this.exited.catch(() => {});
  }

  #now(): { readonly t: number; readonly unreadTime: number } {
    return { t: this.#launch.now(), unreadTime: this.#unread.ms };
  }

  #write(bytes: Buffer): Promise<void> {
    return new Promise((resolve) => {
      if (!this.#child.stdin.writable) resolve();
      // An agent that does not read must not block the case; the next step has its own time limit.
      else if (this.#child.stdin.write(bytes, () => resolve()) || bytes.length > 1024) resolve();
    });
  }

  #read(chunk: Buffer): void {
    this.#outputBytes += chunk.length;
    if (this.#outputBytes <= MAX_OUTPUT_BYTES) return this.#take(this.#lines.push(chunk));
    this.inbox.end(`the agent wrote more than ${MAX_OUTPUT_BYTES} bytes and was killed`);
    this.#lines = new OutputLines();
    this.#child.stdout.destroy();
    void this.kill();
  }

  #take(lines: readonly OutputLine[]): void {
    for (const line of lines) {
      const value = parseJson(line.text);
      const now = this.#now();
      this.events.push({ kind: 'received', ...now, line, value });
      if (!isObject(value)) continue;
      this.inbox.add({ value, text: line.text, at: now.t });
      const answer = this.#launch.served?.(value);
      if (answer !== undefined) void this.sendText(`${JSON.stringify(answer)}\n`);
    }
  }

  #untilExit(): Promise<AgentExit> {
    return new Promise((resolve, reject) => {
      this.#child.once('error', (error) => {
        if (this.#child.pid !== undefined) return;
        this.inbox.end('the agent could not be started');
        reject(error);
      });
      const close = (code: number | null, signal: string | null) => {
        if (this.#ended !== undefined) return;
        this.#take(this.#lines.end());
        this.#ended = { code, signal };
        this.events.push({ kind: 'exited', ...this.#now(), code, signal });
        this.#unread.stop();
        this.inbox.end(`the agent has exited ${describeExit(this.#ended)}`);
        resolve(this.#ended);
      };
      const closeLater = (code: number | null, signal: string | null): void => {
        const { stdout } = this.#child;
        let hasResumed = false;
        const onResume = () => (hasResumed = true);
        stdout.once('resume', onResume);
        setTimeout(() => {
          stdout.off('resume', onResume);
          // Output is not lost while the case has paused reading, or has just resumed it.
          if (stdout.isPaused() || hasResumed) closeLater(code, signal);
          else close(code, signal);
        }, OUTPUT_AFTER_EXIT_MS).unref();
      };
      this.#child.once('exit', closeLater);
      this.#child.once('close', close);
    });
  }
}

/** Describes the end of a process, such as `with code 1` or `by SIGKILL`. */
export function describeExit({ code, signal }: AgentExit): string {
  return signal === null ? `with code ${code}` : `by ${signal}`;
}
