import { setTimeout as sleep } from 'node:timers/promises';
import {
  ChangeListeners,
  type InspectedSession,
  type SessionAction,
  SessionActionError,
  type SessionState,
} from './inspected-session.ts';
import { askServer, readServerEvents, refusalText, type ServerAccess } from './server-events.ts';
import { Spool } from './spool.ts';

const FIRST_RETRY_MS = 500;
const MAX_RETRY_MS = 30_000;
// After these statuses, another attempt without a change cannot succeed.
const IS_FINAL = [400, 401, 403, 404, 410];

/** A session on a server. The log is read from its beginning, with the rights of one account. The times in the recording are the server's times. */
export class ServerSession implements InspectedSession {
  readonly #access: ServerAccess;
  readonly #id: string;
  readonly #maySend: boolean;
  readonly #listeners = new ChangeListeners();
  readonly #spool: Spool;
  readonly #stop = new AbortController();
  readonly #clock: { startedAt: number | undefined } = { startedAt: undefined };
  #cursor: string | undefined;
  #isEnded = false;
  #trouble: string | undefined;

  constructor(access: ServerAccess, id: string, maySend: boolean) {
    this.#access = access;
    this.#id = id;
    this.#maySend = maySend;
    this.#spool = new Spool({ onChange: () => this.#listeners.call() });
    this.#spool.write(`${JSON.stringify({ recording: 1, side: 'host', redacted: false })}\n`);
    void this.#follow();
  }

  get state(): SessionState {
    return {
      bytes: this.#spool.bytes,
      isEnded: this.#isEnded,
      trouble: this.#spool.trouble ?? this.#trouble,
      held: [],
      rights: { send: this.#maySend && !this.#isEnded, hold: false },
    };
  }

  /** The number of pages that show the session. */
  get watchers(): number {
    return this.#listeners.count;
  }

  read(from: number, to: number): Promise<Uint8Array> {
    return this.#spool.read(from, to);
  }

  onChange(listener: () => void): () => void {
    return this.#listeners.add(listener);
  }

  async act(action: SessionAction): Promise<void> {
    if (action.action !== 'send')
      throw new SessionActionError('not-possible', 'the messages of a session on a server cannot be held');
    const response = await askServer(this.#access, `/${this.#id}/events`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ events: [{ payload: action.message }] }),
      signal: this.#stop.signal,
    }).catch((error: Error) => {
      throw new SessionActionError('refused', `the server cannot be reached: ${error.message}`);
    });
    if (!response.ok) throw new SessionActionError('refused', await refusalText(response));
    await response.body?.cancel();
  }

  /** Stops following, and removes what was read. */
  close(): void {
    this.#end('the session was closed in this inspector: reload the page');
    this.#stop.abort();
    this.#spool.close();
  }

  async #follow(): Promise<void> {
    let wait = FIRST_RETRY_MS;
    while (!this.#isEnded) {
      try {
        if (await this.#readStream()) wait = FIRST_RETRY_MS;
      } catch (error) {
        if (this.#stop.signal.aborted) return;
        this.#setTrouble(`the server cannot be reached: ${(error as Error).message}`);
      }
      await sleep(wait, undefined, { ref: false, signal: this.#stop.signal }).catch(() => {});
      wait = Math.min(MAX_RETRY_MS, wait * 2);
    }
  }

  /** Reads one stream to its end. Fulfils with true if the stream had an event. */
  async #readStream(): Promise<boolean> {
    const response = await askServer(this.#access, `/${this.#id}/events/stream`, {
      headers: { accept: 'text/event-stream', ...(this.#cursor !== undefined && { 'last-event-id': this.#cursor }) },
      signal: this.#stop.signal,
    });
    if (!response.ok || response.body === null) {
      const why = await refusalText(response);
      if (IS_FINAL.includes(response.status)) this.#end(`the server refused the request: ${why}`);
      else this.#setTrouble(`the server refused the request, which is tried again later: ${why}`);
      return false;
    }
    this.#setTrouble(undefined);
    let isAny = false;
    for await (const { entry, cursor } of readServerEvents(response.body, {
      clock: this.#clock,
      signal: this.#stop.signal,
    })) {
      if (this.#isEnded) break;
      isAny = true;
      this.#cursor = cursor ?? this.#cursor;
      if (entry !== undefined) this.#spool.add(entry);
    }
    return isAny;
  }

  #setTrouble(trouble: string | undefined): void {
    if (this.#isEnded || trouble === this.#trouble) return;
    this.#trouble = trouble;
    this.#listeners.call();
  }

  #end(trouble: string): void {
    this.#setTrouble(trouble);
    this.#isEnded = true;
    this.#listeners.call();
  }
}
