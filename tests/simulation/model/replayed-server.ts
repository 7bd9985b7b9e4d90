import type { Clock } from '@proto/core/reconnect';
import { createAccounts, createIngress, type EventSink, type Ingress } from '@proto/ingress';
import { HeldStore } from './held-store.ts';

const SECRET = 'a secret that is long enough for HS256';
const BASE = 'http://127.0.0.1/v1/code/sessions';

/** An answer to a POST. */
export interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

/** A reader's stream: the frames that have arrived. */
export class ReplayedLink implements EventSink {
  isGone = false;
  readonly received: { readonly place: number; readonly id: string }[] = [];
  #text = '';
  #onGone = () => {};

  write(text: string): boolean {
    const frames = (this.#text + text).split('\n\n');
    this.#text = frames.pop() ?? '';
    for (const frame of frames) {
      const [, place] = /^id: (\d+)$/m.exec(frame) ?? [];
      const [, id] = /"event_id":"([^"]*)"/.exec(frame) ?? [];
      if (frame.includes('event: client_event') && id !== undefined) this.received.push({ place: Number(place), id });
    }
    return true;
  }

  async drained(): Promise<void> {}

  onceGone(callback: () => void): void {
    this.#onGone = callback;
  }

  end(): void {
    this.isGone = true;
    this.#onGone();
  }
}

/** The real server, which a run of the model kills and starts again over its store. */
export class ReplayedServer {
  readonly store = new HeldStore();
  readonly #tokens: Readonly<Record<string, string>>;
  #ingress: Ingress;
  session = '';

  private constructor(ingress: (store: HeldStore) => Ingress, tokens: Readonly<Record<string, string>>) {
    this.#start = () => ingress(this.store);
    this.#ingress = this.#start();
    this.#tokens = tokens;
  }
  readonly #start: () => Ingress;

  /** Starts a server for a new session. */
  static async open(clock: Clock): Promise<ReplayedServer> {
    const tokens = { viewer1: 'token-of-viewer-1-0123456789', viewer2: 'token-of-viewer-2-0123456789' };
    const entries = Object.entries(tokens).map(([name, token]) => ({ name, token, role: 'driver' as const }));
    const accounts = await createAccounts(entries);
    const server = new ReplayedServer(
      (store) => createIngress({ log: store.connect(), accounts, secret: SECRET, clock, now: () => clock.now() }),
      tokens,
    );
    const { body } = await server.#post('', {}, tokens.viewer1);
    server.session = String((body['session'] as { id?: unknown } | undefined)?.id);
    return server;
  }

  /** Kills the server, which loses uncommitted appends, and starts another one. */
  async restart(): Promise<void> {
    const killed = this.#ingress;
    this.#ingress = this.#start();
    void killed.drain();
  }

  async end(): Promise<void> {
    await this.#ingress.drain();
  }

  /** Sends messages of a viewer. */
  say(viewer: string, payloads: readonly object[]): Promise<Answer> {
    const events = payloads.map((payload) => ({ payload }));
    return this.#post(`/${this.session}/events`, { events }, this.#tokens[viewer] ?? '');
  }

  /** Claims the lease of a worker. Returns its token, and its epoch. */
  async claim(): Promise<{ readonly token: string; readonly epoch: number }> {
    const { body } = await this.#post(`/${this.session}/bridge`, {}, this.#tokens['viewer1'] ?? '');
    return { token: String(body['worker_jwt']), epoch: Number(body['worker_epoch']) };
  }

  /** Sends messages of a worker. */
  work(token: string, worker_epoch: number, payloads: readonly object[]): Promise<Answer> {
    const events = payloads.map((payload) => ({ payload }));
    return this.#post(`/${this.session}/worker/events`, { worker_epoch, events }, token);
  }

  /** Opens the stream of a viewer, or of a worker with its token. */
  async follow(reader: string, cursor: number, token?: string): Promise<ReplayedLink> {
    const link = new ReplayedLink();
    const path = token === undefined ? 'events/stream' : 'worker/events/stream';
    const headers = {
      authorization: `Bearer ${token ?? this.#tokens[reader]}`,
      ...(cursor > 0 && { 'last-event-id': String(cursor) }),
    };
    const asked = new Request(`${BASE}/${this.session}/${path}`, { headers });
    const openSink = () => ({ sink: link, response: new Response(null) });
    const { status } = await this.#ingress.fetch(asked, { openSink });
    if (status !== 200) throw new Error(`${reader} could not connect: status ${status}`);
    return link;
  }

  async #post(path: string, body: object, token: string): Promise<Answer> {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const request = new Request(BASE + path, { method: 'POST', headers, body: JSON.stringify(body) });
    const response = await this.#ingress.fetch(request);
    const text = await response.text();
    return { status: response.status, body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>) };
  }
}
