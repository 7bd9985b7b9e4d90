import { setTimeout as delay } from 'node:timers/promises';
import { createParser } from 'eventsource-parser';
import { TOKEN } from './node-processes.ts';

/** The time limit of the first attempt. It doubles after each attempt without an answer, so that requests also succeed on a slow machine. */
const ATTEMPT_MS = 1000;
const MAX_ATTEMPT_MS = 8000;
const RETRY_MS = 50;
/** The headers of a request. */
export const headers = { authorization: `Bearer ${TOKEN}` };

/** Repeats a request until the answer is 200: a node that is gone, is stopped or does not own the session gives another answer, or none. */
export async function insist(url: string, body: object, signal?: AbortSignal): Promise<unknown> {
  for (let attemptMs = ATTEMPT_MS; ; attemptMs = Math.min(2 * attemptMs, MAX_ATTEMPT_MS)) {
    signal?.throwIfAborted();
    try {
      const answer = await fetch(url, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(attemptMs),
      });
      if (answer.status === 200) return await answer.json();
      await answer.body?.cancel();
      if (answer.status < 500) throw Object.assign(new Error(`the answer is ${answer.status}`), { isFinal: true });
    } catch (error) {
      if (Object(error).isFinal === true) throw error;
    }
    await delay(RETRY_MS);
  }
}

/** Sends messages one after the other until `end` or `leave` is called. Each message is repeated with its id until it is acknowledged. */
export class Writer {
  readonly acknowledged: string[] = [];
  readonly #url: string;
  readonly #name: string;
  readonly #leaving = new AbortController();
  readonly #finished: Promise<void>;
  #isOver = false;

  constructor(url: string, name: string) {
    this.#url = url;
    this.#name = name;
    this.#finished = this.#write();
    this.#finished.catch(() => {});
  }

  /** Fulfils when the message that is under way is acknowledged. */
  end(): Promise<void> {
    this.#isOver = true;
    return this.#finished;
  }

  /** Ends without an answer to the message that is under way. */
  async leave(): Promise<void> {
    this.#isOver = true;
    this.#leaving.abort();
    await this.#finished.catch(() => {});
  }

  async #write(): Promise<void> {
    while (!this.#isOver) {
      const uuid = `${this.#name}:${this.acknowledged.length}`;
      await insist(this.#url, { events: [{ payload: { type: 'user', uuid } }] }, this.#leaving.signal);
      this.acknowledged.push(uuid);
    }
  }
}

/** Follows a session over event streams that break, from the last event that it has got. */
export class Viewer {
  readonly received: { readonly sequence: number; readonly id: string }[] = [];
  readonly #url: string;
  readonly #leaving = new AbortController();
  readonly #finished: Promise<void>;

  constructor(url: string) {
    this.#url = url;
    this.#finished = this.#follow();
  }

  async end(): Promise<void> {
    this.#leaving.abort();
    await this.#finished;
  }

  async #follow(): Promise<void> {
    for (let silenceMs = ATTEMPT_MS; !this.#leaving.signal.aborted; ) {
      const before = this.received.length;
      await this.#read(silenceMs).catch(() => {});
      silenceMs = this.received.length > before ? ATTEMPT_MS : Math.min(2 * silenceMs, MAX_ATTEMPT_MS);
      await delay(RETRY_MS);
    }
  }

  async #read(silenceMs: number): Promise<void> {
    const after = this.received.at(-1)?.sequence ?? 0;
    const attempt = new AbortController();
    const leave = () => attempt.abort();
    this.#leaving.signal.addEventListener('abort', leave);
    // A stopped node keeps its streams open but sends no heartbeats, so the reader connects to another node.
    let timer = setTimeout(leave, silenceMs);
    const decoder = new TextDecoder();
    const parser = createParser({
      onEvent: ({ id, event, data }) => {
        if (event !== 'client_event') return;
        const { payload } = JSON.parse(data) as { readonly payload: { readonly uuid?: string } };
        if (payload.uuid !== undefined) this.received.push({ sequence: Number(id), id: payload.uuid });
      },
    });
    try {
      const sent = { headers: { ...headers, 'last-event-id': String(after) }, signal: attempt.signal };
      const { status, body } = await fetch(this.#url, sent);
      if (status !== 200 || body === null) return;
      for await (const chunk of body) {
        clearTimeout(timer);
        timer = setTimeout(leave, silenceMs);
        parser.feed(decoder.decode(chunk, { stream: true }));
      }
    } finally {
      clearTimeout(timer);
      this.#leaving.signal.removeEventListener('abort', leave);
      attempt.abort();
    }
  }
}
