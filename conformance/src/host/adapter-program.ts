import { parseJson } from '@proto/core/framing';
import { LONGEST_TIMER_MS } from '@proto/core/network';
import { Inbox, isObject, shortJson } from '@proto/testkit/steps';

import { ProgramNotStarted } from '../run/test-options.ts';
import type { HostAnswer, HostProgram, HostResult, HostRun, RunningHost } from './host-program.ts';
import { type ProcessExit, ProgramProcess } from './program-process.ts';

const ADAPTER_PROTOCOL_VERSION = 1;
const INIT_MS = 10_000;

type Event = Readonly<Record<string, unknown>>;

/**
 * Starts a program that speaks the adapter protocol. Each process of the program runs one case at a time. As many processes are started as cases run
 * at a time.
 *
 * @throws {@link ProgramNotStarted} if the program does not answer `init`.
 */
export async function createAdapterProgram(command: readonly string[], timeoutScale = 1): Promise<HostProgram> {
  const idle: AdapterProcess[] = [];
  const all = new Set<AdapterProcess>();
  const open = async (): Promise<AdapterProcess> => {
    const adapter = new AdapterProcess(command);
    all.add(adapter);
    await adapter.init(INIT_MS * timeoutScale);
    return adapter;
  };
  const first = await open().catch((error: unknown) => {
    for (const adapter of all) adapter.kill();
    throw error;
  });
  idle.push(first);
  return {
    description: first.title ?? command.join(' '),
    features: new Set([...first.features, 'adapter']),
    async start(run) {
      const adapter = idle.pop() ?? (await open());
      const running = adapter.run(run);
      void running.result.then(({ failure }) => {
        if (failure === undefined && adapter.isUsable) idle.push(adapter);
        else adapter.kill();
      });
      return running;
    },
    close() {
      for (const adapter of all) adapter.kill();
    },
  };
}

class AdapterProcess {
  title: string | undefined;
  features: readonly string[] = [];
  readonly #process: ProgramProcess;
  #onEvent: (event: Event, text: string) => void = () => {};
  #onFailure: (reason: string) => void = () => {};

  constructor(command: readonly string[]) {
    this.#process = new ProgramProcess(command, {}, (line) => this.#read(line));
    void this.#process.exit.then((exit: ProcessExit) => this.#onFailure(`The adapter ${exit.description}`));
  }

  get isUsable(): boolean {
    return !this.#process.hasExited;
  }

  async init(milliseconds: number): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const answer = await new Promise<Event>((resolve, reject) => {
      this.#onEvent = resolve;
      this.#onFailure = (reason) => reject(new ProgramNotStarted(`${reason}. It did not answer "init".`));
      timer = setTimeout(
        () => this.#onFailure(`The adapter wrote nothing within ${milliseconds} ms`),
        Math.min(milliseconds, LONGEST_TIMER_MS),
      );
      if (!this.#process.hasExited) this.#process.write({ type: 'init', protocol: ADAPTER_PROTOCOL_VERSION });
    }).finally(() => clearTimeout(timer));
    const { type, name, features } = answer;
    if (type !== 'init' || !Array.isArray(features))
      throw new ProgramNotStarted(
        `The adapter answered "init" with ${shortJson(answer)}, which is not an "init" with an array "features".`,
      );
    this.title = typeof name === 'string' ? name : undefined;
    this.features = features.map(String);
  }

  run(run: HostRun): RunningHost {
    const inbox = new Inbox();
    const started = performance.now();
    let resolve: (result: HostResult) => void = () => {};
    const result = new Promise<HostResult>((settle) => (resolve = settle));
    let isOver = false;
    const end = (result: HostResult, reason: string) => {
      isOver = true;
      inbox.end(reason);
      resolve(result);
    };
    const answers = new Map<unknown, HostAnswer>();
    const send = (order: Event) => {
      const { type, id, value, error } = order;
      // A function returns only once, so a second answer has no effect.
      if (type === 'answer' && !answers.has(id)) answers.set(id, typeof error === 'string' ? { error } : { value });
      if (!this.#process.hasExited) this.#process.write({ ...order, run: run.case });
    };
    this.#onFailure = (failure) => end({ failure }, failure);
    this.#onEvent = (event, text) => {
      // An event of an earlier case arrived late.
      if (event['run'] !== run.case) return;
      inbox.add({ value: event, text, at: performance.now() - started });
      const answer = event['type'] === 'question' ? run.answers[String(event['kind'])] : undefined;
      if (answer !== undefined) send({ type: 'answer', id: event['id'], ...answer });
      const { error } = event;
      if (event['type'] === 'result')
        end(
          error === undefined || error === null ? {} : { error: typeof error === 'string' ? error : shortJson(error) },
          'the session has ended for its user',
        );
    };
    const { case: id, answers: _answers, ...rest } = run;
    this.#process.write({ type: 'run', run: id, ...rest });
    // A process whose session is over runs the next case.
    const stop = () => {
      if (!isOver) this.kill();
    };
    return { inbox, result, answers, send, stop };
  }

  kill(): void {
    this.#process.kill();
  }

  #read(line: string): void {
    if (line.trim() === '') return;
    let event: unknown;
    try {
      event = parseJson(line);
    } catch {
      event = undefined;
    }
    if (isObject(event) && typeof event['type'] === 'string') this.#onEvent(event, line);
    else this.#onFailure(`The adapter wrote a line that is not an event: ${shortJson(line)}`);
  }
}
