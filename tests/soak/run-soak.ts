import { createSession, type Session } from '@proto/core';
import { randomFrom } from '../schedules/random.ts';
import { collectedHeapBytes } from './collected-heap.ts';
import { MessageCheck, type Outcome } from './message-check.ts';
import { openRemotePair, type RemotePair, type Way } from './remote-pair.ts';

/** The options of a soak run. */
export interface SoakOptions {
  readonly way: Way;
  /** The number of messages of both sides together: nine of ten are sent by the agent. */
  readonly messages: number;
  /** How often links are cut during the run. */
  readonly cuts: number;
  /** The seed that decides where links are cut. */
  readonly seed: number;
  /** Called from time to time with the number of messages that have arrived, and the heap size. */
  readonly onProgress?: (arrived: number, heapBytes: number) => void;
}

/** The result of a soak run. */
export interface SoakReport extends Outcome {
  readonly way: Way;
  readonly messages: number;
  /** How many control requests of the agent were answered. */
  readonly requests: number;
  /** How often a side reported that its link was down. */
  readonly linksLost: number;
  /** How far the heap of this process (both sides and the server) has grown since a tenth of the messages; both sizes are taken after a collection. */
  readonly growthBytes: number;
  readonly ms: number;
  /** Other errors. */
  readonly problems: readonly string[];
}

/** One in so many messages is sent by the host, and as often the agent sends a request. */
const ONE_OF = 10;
/** How many requests the agent has open at most. */
const MAX_OPEN = 500;
const STEPS = 10;
/** If nothing has arrived for so long, nothing will. */
const STUCK_MS = 120_000;
/** Longer than a frame, so that a link may break within a frame or between two frames. */
const MAX_CUT_BYTES = 5000;

/** Runs a session over links that are cut: the agent sends messages and requests, and the host sends answers and prompts. */
export async function runSoak(options: SoakOptions): Promise<SoakReport> {
  const pair = await openRemotePair(options.way);
  try {
    return await new Soak(pair, options).run();
  } finally {
    await pair.close();
  }
}

class Soak {
  readonly #options: SoakOptions;
  readonly #pair: RemotePair;
  readonly #agent: Session;
  readonly #host: Session;
  readonly #ofAgent = new MessageCheck();
  readonly #ofHost = new MessageCheck();
  readonly #problems: string[] = [];
  readonly #counts: { readonly agent: number; readonly host: number; readonly requests: number };
  #prompted = 0;
  #answered = 0;
  #linksLost = 0;
  #isOver = false;
  /** The conditions that are waited for. */
  #awaited: { readonly check: () => boolean; readonly settle: (isSo: boolean) => void } | undefined;

  constructor(pair: RemotePair, options: SoakOptions) {
    const requests = Math.floor(options.messages / ONE_OF);
    this.#counts = { host: requests, agent: options.messages - requests, requests };
    this.#options = options;
    this.#pair = pair;
    this.#agent = createSession(pair.agent);
    this.#host = createSession(pair.host, {
      handlers: { can_use_tool: ({ input }) => ({ behavior: 'allow', updatedInput: input }) },
    });
  }

  async run(): Promise<SoakReport> {
    const { way, messages } = this.#options;
    const start = performance.now();
    // Node warns of leaked listeners and of rejections that were handled too late: both count as errors here.
    const onWarning = ({ name, message }: Error) => this.#trouble(`${name}: ${message}`);
    process.on('warning', onWarning);
    const work = [this.#read(this.#agent, this.#ofHost), this.#read(this.#host, this.#ofAgent)].map((part) =>
      part.catch((error: unknown) => this.#trouble(String(error))),
    );
    this.#prompt();
    const growthBytes = await this.#watch();
    process.off('warning', onWarning);
    const ms = performance.now() - start;
    this.#isOver = true;
    for (const session of [this.#agent, this.#host]) session.abort();
    await Promise.all(work);
    const outcomes = [this.#ofAgent.outcome(this.#counts.agent), this.#ofHost.outcome(this.#counts.host)];
    const sum = (what: keyof Outcome) => outcomes.reduce((total, outcome) => total + outcome[what], 0);
    return {
      way,
      messages,
      requests: this.#answered,
      linksLost: this.#linksLost,
      lost: sum('lost'),
      doubled: sum('doubled'),
      outOfOrder: sum('outOfOrder'),
      growthBytes,
      ms,
      problems: this.#problems,
    };
  }

  get #arrived(): number {
    return this.#ofAgent.last + this.#ofHost.last;
  }

  /** Sends the messages a tenth at a time, and cuts links during each tenth. Returns how far the heap has grown since the first tenth. */
  async #watch(): Promise<number> {
    const { messages, cuts, seed, onProgress } = this.#options;
    const random = randomFrom('soak', seed);
    const pick = (below: number) => Math.floor(random() * below);
    const cutAt = Array.from({ length: cuts }, (_, cut) => Math.floor((messages * (cut + 1)) / (cuts + 1)));
    let early = 0;
    let heap = 0;
    for (let step = 1; step <= STEPS; step++) {
      const end = Math.floor((messages * step) / STEPS);
      const said = this.#part(this.#counts.agent, step);
      const asked = this.#part(this.#counts.requests, step);
      this.#speak(this.#part(this.#counts.agent, step - 1), said).catch((error: unknown) =>
        this.#trouble(String(error)),
      );
      while ((cutAt[0] ?? Infinity) <= end) {
        const next = cutAt.shift() ?? 0;
        if (!(await this.#until(() => this.#arrived >= next))) return heap - early;
        this.#pair.proxies[pick(2)]?.cut(pick(2) === 0 ? 'rst' : 'fin', pick(MAX_CUT_BYTES));
      }
      const isQuiet = () =>
        this.#ofAgent.last >= said && this.#ofHost.last >= this.#prompted && this.#answered >= asked;
      // At that point, no message is in transit that could hold memory.
      if (!(await this.#until(isQuiet))) return heap - early;
      heap = await collectedHeapBytes();
      if (step === 1) early = heap;
      onProgress?.(this.#arrived, heap);
    }
    return heap - early;
  }

  #part(count: number, step: number): number {
    return Math.floor((count * step) / STEPS);
  }

  /** Waits for a condition while messages and answers arrive. Returns whether it came true. */
  async #until(check: () => boolean): Promise<boolean> {
    if (check()) return true;
    let before = -1;
    let settle = (_isSo: boolean) => {};
    const settled = new Promise<boolean>((resolve) => (settle = resolve));
    this.#awaited = { check, settle };
    const timer = setInterval(() => {
      const now = this.#arrived + this.#answered;
      if (now === before) settle(false);
      before = now;
    }, STUCK_MS);
    const isSo = await settled;
    clearInterval(timer);
    if (!isSo) this.#trouble(`nothing has arrived for ${STUCK_MS} ms, after ${this.#arrived} messages`);
    return isSo;
  }

  #look(): void {
    if (this.#awaited?.check() === true) this.#awaited.settle(true);
  }

  #trouble(what: string): void {
    if (this.#isOver) return;
    this.#problems.push(what);
  }

  async #read(session: Session, check: MessageCheck): Promise<void> {
    for await (const item of session) {
      if (item.kind === 'message') {
        check.take(Number(item.message['n']));
        this.#prompt();
        this.#look();
      } else if (item.kind === 'malformed') this.#trouble(item.error.message);
      else if (item.kind === 'notice') continue;
      else if (item.state === 'down') this.#linksLost++;
      else if (!item.resumed) this.#trouble('a link says that messages are missing');
    }
    this.#trouble('a side has ended before all was said');
  }

  /** Sends the prompts of the host at the pace of the messages that it receives. */
  #prompt(): void {
    while (this.#prompted < this.#counts.host && this.#ofAgent.last >= this.#prompted * (ONE_OF - 1)) {
      const message = { role: 'user', content: 'go on' };
      const prompt = { type: 'user', uuid: crypto.randomUUID(), n: ++this.#prompted, message };
      this.#host.emit(prompt).catch((error: unknown) => this.#trouble(String(error)));
    }
  }

  /** Sends the messages of the agent after one number and up to another, with the requests among them. */
  async #speak(from: number, to: number): Promise<void> {
    const { agent, requests } = this.#counts;
    const open = new Set<Promise<void>>();
    for (let n = from + 1, asked = Math.floor((from / agent) * requests); n <= to; n++) {
      await this.#agent.emit({ type: 'assistant', uuid: crypto.randomUUID(), n, text: 'some words of an agent' });
      if (asked >= Math.floor((n / agent) * requests)) continue;
      const asking = this.#ask(++asked).finally(() => open.delete(asking));
      open.add(asking);
      if (open.size >= MAX_OPEN) await Promise.race(open);
    }
  }

  async #ask(n: number): Promise<void> {
    try {
      const request = { subtype: 'can_use_tool', tool_name: 'Bash', input: { n }, tool_use_id: `toolu_${n}` };
      const { updatedInput } = await this.#agent.request<{ updatedInput?: { n?: unknown } }>(request);
      if (updatedInput?.n !== n) this.#trouble(`request ${n} has the answer to ${String(updatedInput?.n)}`);
      this.#answered++;
    } catch (error) {
      this.#trouble(`request ${n}: ${String(error)}`);
    }
    this.#look();
  }
}
