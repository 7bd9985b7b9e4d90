import { BASE, type Link, type World } from './world.ts';

/** One frame of an event stream. */
export interface RawFrame {
  readonly id?: string;
  readonly event?: string;
  readonly data: Record<string, unknown>;
  /** Whether this is the first frame of its stream. */
  readonly first: boolean;
}

/** An answer: its status, and its body if there is one. */
export interface RawAnswer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

const FOR_EVER = [401, 403, 404, 409];

/** A handwritten client: it retries requests until an answer arrives, resumes from the last `id:`, and does not deduplicate. */
export class RawClient {
  token: string;
  readonly #world: World;
  readonly #link: Link;
  readonly #base: string;
  readonly #over = new AbortController();

  constructor(world: World, link: Link, path: string, token: string) {
    this.#world = world;
    this.#link = link;
    this.#base = `${BASE}${path}`;
    this.token = token;
  }

  get over(): boolean {
    return this.#over.signal.aborted;
  }

  stop(): void {
    this.#over.abort();
  }

  /** Retries until the server gives a final answer. Returns undefined if the client was stopped before. */
  async insist(path: string, body: object): Promise<RawAnswer | undefined> {
    const text = JSON.stringify(body);
    while (!this.over) {
      const answer = await this.#within(this.#world.timing.answerMs, (signal) => this.#post(path, text, signal));
      if (answer !== undefined && (answer.status === 200 || FOR_EVER.includes(answer.status))) return answer;
      await this.#pause();
    }
    return undefined;
  }

  /** Reads a stream, and resumes it where it broke, until the session or the client ends. */
  async follow(path: string, cursor: number, onFrame: (frame: RawFrame) => void): Promise<void> {
    let last = cursor;
    while (!this.over) {
      const status = await this.#follow(path, last, (frame) => {
        last = Number(frame.id ?? last);
        onFrame(frame);
      }).catch(() => 0);
      if (FOR_EVER.includes(status)) return;
      await this.#pause();
    }
  }

  async #post(path: string, body: string, signal: AbortSignal): Promise<RawAnswer> {
    const { status, text } = await this.#request('POST', path, { body, signal });
    const said = await text();
    return { status, body: said === '' ? {} : JSON.parse(said) };
  }

  async #follow(path: string, cursor: number, onFrame: (frame: RawFrame) => void): Promise<number> {
    const gone = new AbortController();
    const leave = () => gone.abort();
    this.#over.signal.addEventListener('abort', leave);
    try {
      const asked = { signal: gone.signal, headers: { 'Last-Event-ID': String(cursor) } };
      const { answerMs, silenceMs } = this.#world.timing;
      const opened = await this.#within(answerMs, () => this.#request('GET', path, asked));
      if (opened === undefined || opened.status !== 200) return opened?.status ?? 0;
      const decoder = new TextDecoder();
      let first = true;
      for (let rest = ''; ; ) {
        const piece = await this.#within(silenceMs, () => opened.reader.read());
        if (piece === undefined || piece.done || this.over) return 0;
        const frames = (rest + decoder.decode(piece.value, { stream: true })).split('\n\n');
        rest = frames.pop() ?? '';
        for (const text of frames) {
          if (text.startsWith(':')) continue;
          onFrame({ ...frameOf(text), first });
          first = false;
        }
      }
    } finally {
      this.#over.signal.removeEventListener('abort', leave);
      gone.abort();
    }
  }

  async #request(method: 'GET' | 'POST', path: string, rest: { signal: AbortSignal; headers?: object; body?: string }) {
    const { signal, body } = rest;
    const headers = { authorization: `Bearer ${this.token}`, ...rest.headers };
    const request = { method, headers, signal, ...(body !== undefined && { body }) };
    const response = await this.#link.fetch(this.#base + path, { ...request, redirect: 'manual', cache: 'no-store' });
    const reader = response.body?.getReader() ?? { read: async () => ({ done: true, value: undefined }) };
    const text = async () => {
      let all = '';
      for (const decoder = new TextDecoder(); ; ) {
        const { done, value } = await reader.read();
        if (done) return all;
        all += decoder.decode(value, { stream: true });
      }
    };
    return { status: response.status, reader, text };
  }

  /** Returns undefined if the request failed or took too long. */
  async #within<T>(ms: number, work: (signal: AbortSignal) => Promise<T>): Promise<T | undefined> {
    const gone = new AbortController();
    const leave = () => gone.abort();
    this.#over.signal.addEventListener('abort', leave);
    let timer: unknown;
    const late = new Promise<undefined>((resolve) => {
      gone.signal.addEventListener('abort', () => resolve(undefined));
      timer = this.#world.clock.setTimeout(leave, ms);
    });
    try {
      return await Promise.race([work(gone.signal).catch(() => undefined), late]);
    } finally {
      this.#over.signal.removeEventListener('abort', leave);
      this.#world.clock.clearTimeout(timer);
    }
  }

  #pause(): Promise<undefined> {
    return this.#within(this.#world.timing.retryMs, () => new Promise<undefined>(() => {}));
  }
}

function frameOf(text: string): Omit<RawFrame, 'first'> {
  const fields = new Map(text.split('\n').map((line) => line.split(/: (.*)/s) as [string, string]));
  const [id, event] = [fields.get('id'), fields.get('event')];
  return {
    ...(id !== undefined && { id }),
    ...(event !== undefined && { event }),
    data: JSON.parse(fields.get('data') ?? '{}'),
  };
}
