import type { WireMessage } from '@proto/core/framing';
import type { SocketLike } from '@proto/transport-websocket';
import type { Lease } from './own-ways.ts';
import { PostingWorker, type WorkerEntry } from './posting-worker.ts';
import { type RawAnswer, RawClient } from './raw-client.ts';
import type { SessionRecord } from './session-record.ts';
import { BASE, type World } from './world.ts';

const OVER = [4001, 4003];

/** A worker like the published ones: it reads plain lines of a WebSocket, whose pongs confirm what it has, and posts its messages. */
export class BareWorker extends PostingWorker {
  readonly #world: World;
  readonly #posts: RawClient;
  readonly #path: string;
  /** Whether the worker has sent something before, which it reports when it reconnects. */
  #continues: boolean;
  #socket: SocketLike | undefined;

  constructor(world: World, record: SessionRecord, session: string, name: string, continues: boolean) {
    super(world, record, session, name);
    this.#world = world;
    this.#continues = continues;
    this.#posts = new RawClient(world, this.link, `/v1/session_ingress/session/${session}`, '');
    this.#path = `${BASE.replace('http', 'ws')}/v1/session_ingress/ws/${session}`;
  }

  override stop(): void {
    super.stop();
    this.#posts.stop();
    this.#socket?.terminate?.();
  }

  // This worker does not report processed events, because the pongs of its link confirm them.
  done(): void {}

  protected async post(entries: readonly WorkerEntry[]): Promise<RawAnswer | undefined> {
    this.#continues = true;
    return this.#posts.insist('/events', { events: entries.map(({ payload }) => payload) });
  }

  protected async follow({ token }: Lease): Promise<void> {
    this.#posts.token = token;
    while (this.reading.live) {
      if (OVER.includes(await this.#readOnce(token))) return;
      await new Promise<void>((resolve) => this.#world.clock.setTimeout(resolve, this.#world.timing.retryMs));
    }
  }

  /** Runs one link to its end, and returns the close code. */
  #readOnce(token: string): Promise<number> {
    const { clock, timing } = this.#world;
    const last = this.#continues ? { 'x-last-request-id': 'one' } : {};
    const headers = { authorization: `Bearer ${token}`, ...last };
    const socket = this.link.open?.({ url: this.#path, headers, protocols: [] }) as SocketLike;
    this.#socket = socket;
    let silent: unknown;
    const live = () => {
      clock.clearTimeout(silent);
      silent = clock.setTimeout(() => socket.terminate?.(), timing.silenceMs);
    };
    live();
    socket.on?.('ping', () => {
      live();
      // Answering the ping confirms everything before the ping.
      if (!this.isOut) for (const { uuid } of this.reading.received) this.record.processed.add(uuid);
    });
    socket.addEventListener('message', ({ data }) => {
      live();
      if (this.reading.live) for (const line of String(data).split('\n')) if (line !== '') this.#take(line);
    });
    return new Promise((resolve) => {
      socket.addEventListener('close', ({ code }) => {
        clock.clearTimeout(silent);
        resolve(code ?? 1006);
      });
    });
  }

  #take(line: string): void {
    const message = JSON.parse(line) as WireMessage;
    // Events that the link has not confirmed arrive again; published workers recognize them by the id.
    if (this.reading.received.some(({ uuid }) => uuid === message['uuid'])) return;
    const place = this.record.kept.placeOf(this.record.session, String(message['uuid']));
    if (place === undefined) this.record.problems.push(`${this.name} received a line that is not in the log: ${line}`);
    else this.onEvent(place, message);
  }
}
