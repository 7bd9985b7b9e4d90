import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { setTimer } from '@proto/core/network';
import type { Batch, TransportControl, TransportDriver, TransportError } from '@proto/core/transport';
import { AgentProcessError, type ProcessEnd } from './agent-errors.ts';
import { Descendants } from './descendants.ts';
import { watchParent } from './parent-watch.ts';
import { DEFAULT_CLOSE_GRACE_MS, DEFAULT_KILL_GRACE_MS, ShutDown } from './shut-down.ts';
import { killTree, signalTree } from './kill-tree.ts';
import type { SpawnAgentOptions } from './spawn-options.ts';
import { StderrTail } from './stderr-tail.ts';
import { StdioDriver } from './stdio-transport.ts';
import type { System } from './system.ts';
import { missingInterpreter } from './why-not-started.ts';

// After a child has exited, its pipes count as read to the end when nothing has arrived for this long. They stay open only if a process that holds
// them could not be ended.
const DRAIN_MS = 500;

type Exit = Omit<ProcessEnd, 'stderrTail'>;

/** Closes when the child and the processes that it started are gone and their output has been read. */
export class ProcessDriver implements TransportDriver {
  readonly #control: TransportControl;
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #graceMs: number;
  readonly #streams: StdioDriver;
  readonly #tail: StderrTail;
  readonly #descendants: Descendants;
  readonly #watch;
  readonly #shutDown: ShutDown;
  readonly #system: System;
  /** Explains exit code 127 (by shell convention: command not found) for the file that was started. */
  readonly #notFound: () => string | undefined;
  #closing = false;
  #aborted = false;
  #broken: TransportError | undefined;
  #exit: Exit | undefined;
  #gone = false;
  #forgetAtExit: (() => void) | undefined;
  #unread = 2;
  #draining: NodeJS.Timeout | undefined;

  constructor(
    control: TransportControl,
    child: ChildProcessWithoutNullStreams,
    options: SpawnAgentOptions,
    { system, file }: { readonly system: System; readonly file: string },
  ) {
    const { closeGraceMs = DEFAULT_CLOSE_GRACE_MS, killGraceMs = DEFAULT_KILL_GRACE_MS } = options;
    this.#control = control;
    this.#child = child;
    this.#system = system;
    this.#notFound = () => missingInterpreter(file, options.env ?? {}, system);
    this.#graceMs = closeGraceMs;
    this.#tail = new StderrTail(options.maxStderrTailBytes);
    const mark = system.platform === 'linux' ? createMark() : undefined;
    this.#descendants = new Descendants(child.pid as number, mark, system);
    this.#watch = watchParent(child.pid as number, mark, system);
    this.#shutDown = new ShutDown({
      signal: (signal) => signalTree(child, signal, system, this.#descendants),
      onGone: () => this.#onGone(),
      closeGraceMs,
      killGraceMs,
    });
    this.#streams = new StdioDriver(
      {
        opened() {},
        receive: (items) => control.receive(items),
        ended: () => this.#unlessItExits(() => control.ended()),
        closed: (error) => this.#onBroken(error),
      },
      { ...options, input: child.stdout, output: child.stdin },
    );
    this.#readStderr(options.onStderr);
    child.on('error', () => {});
    child.once('spawn', () => control.opened());
    child.once('exit', (exitCode, signal) => this.#onExit(exitCode, signal));
    // The child's `close` event would wait for every pipe, including pipes that other processes hold open.
    for (const stream of [child.stdout, child.stderr]) stream.once('close', () => this.#onRead());
  }

  async write(batch: Batch): Promise<void> {
    await this.#orItsEnd(this.#streams.write(batch));
    // The child is still reading, although slowly, so its time to exit starts again.
    if (this.#closing) this.#shutDown.leave();
  }

  flush(): Promise<void> {
    return this.#orItsEnd(this.#streams.flush());
  }

  end(): Promise<void> {
    // The child may exit now. After that, its children can no longer be found through their parent.
    this.#descendants.collect();
    return this.#streams.end();
  }

  /** Called when the transport begins to close. From then on, the child must either keep reading or exit. */
  closing(): void {
    this.#closing = true;
    this.#descendants.collect();
    this.#shutDown.leave();
  }

  close(): void {
    this.#shutDown.leave();
    void this.#streams.end();
  }

  terminate(): void {
    this.#closing = true;
    this.#shutDown.terminate();
  }

  abort(): void {
    this.#closing = true;
    this.#aborted = true;
    this.#shutDown.abort();
    this.#child.stdin.destroy();
    // Output is still read and dropped, because an agent that blocks on its output could not end its processes.
    this.#streams.resume();
    // This program may exit without waiting for the child's end.
    if (this.#gone) return;
    const kill = () => killTree(this.#child, this.#system, this.#descendants);
    this.#forgetAtExit ??= this.#system.atExit(kill);
  }

  pause(): void {
    this.#streams.pause();
  }

  resume(): void {
    this.#streams.resume();
  }

  #readStderr(onStderr: SpawnAgentOptions['onStderr']): void {
    const decoder = new TextDecoder();
    this.#child.stderr.on('error', () => {});
    this.#child.stderr.on('data', (chunk: Uint8Array) => {
      this.#tail.push(chunk);
      // Called last, because it may throw.
      onStderr?.(decoder.decode(chunk, { stream: true }));
    });
  }

  /** A failed write waits for the child to exit, because the exit shows the reason better than a broken pipe. */
  #orItsEnd(done: Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      done.then(resolve, (error: Error) => this.#unlessItExits(() => reject(error)));
    });
  }

  #unlessItExits(act: () => void): void {
    if (this.#exit !== undefined) return;
    const timer = setTimer(act, this.#graceMs);
    this.#child.once('exit', () => timer.clear());
  }

  #onBroken(error: TransportError | undefined): void {
    this.#broken ??= error;
    this.#shutDown.leave();
  }

  #onExit(exitCode: number | null, signal: string | null): void {
    this.#exit = { exitCode, signal, killed: this.#shutDown.killed };
    this.#shutDown.exited();
  }

  #onRead(): void {
    this.#unread--;
    if (this.#unread === 0 && this.#gone) this.#finish();
  }

  #onGone(): void {
    this.#gone = true;
    this.#forgetAtExit?.();
    if (this.#unread === 0) return this.#finish();
    const { stdout, stderr } = this.#child;
    let quiet = false;
    for (const stream of [stdout, stderr]) stream.on('data', () => (quiet = false));
    // What is in the pipe arrives only after the reader has resumed.
    stdout.on('resume', () => (quiet = false));
    this.#draining = setInterval(() => {
      if (this.#aborted || (quiet && !stdout.isPaused())) this.#finish();
      quiet = true;
    }, DRAIN_MS);
  }

  #finish(): void {
    clearInterval(this.#draining);
    // Rejects the writes that are still pending.
    this.#streams.abort();
    this.#child.stderr.destroy();
    const end: ProcessEnd = { ...(this.#exit as Exit), stderrTail: this.#tail.text };
    const error = this.#failure(end);
    const details = { ...(end.exitCode !== null && { status: end.exitCode }), process: end };
    void this.#watch.stop().then(() => this.#control.closed(error, details));
  }

  #failure(end: ProcessEnd): TransportError | undefined {
    const { exitCode, signal } = end;
    // If the child was asked to exit, any exit code is acceptable.
    const left = this.#closing || exitCode === 0;
    if (left && this.#broken === undefined) return undefined;
    const reason = exitCode === 127 ? this.#notFound() : undefined;
    const code = `exited with code ${exitCode}${reason === undefined ? '' : `: ${reason}`}`;
    const how = signal === null ? code : `was terminated by ${signal}`;
    const what = left ? 'the agent exited without reading its input' : `the agent ${how}`;
    return new AgentProcessError('lost', what, end, this.#broken);
  }
}

/** A random number that marks this child and everything it starts. */
function createMark(): string {
  // The global `crypto` is used because importing `node:crypto` would load it even in programs that never start an agent.
  const [high = 0, low = 0] = crypto.getRandomValues(new Uint32Array(2));
  return String((1 + (high % 2 ** 15)) * 2 ** 32 + low);
}
