import assert from 'node:assert/strict';
import { replacePlatform } from '../platform.ts';
import { Scheduler } from '../scheduler.ts';
import { Trace } from '../trace.ts';
import { type Answer, type ReplayedLink, ReplayedServer } from './replayed-server.ts';
import { idOf, type Moment, payloadOf, type Post, type Reply, type State } from './trace.ts';

/** The run of the model lost a part of a write, or a write before a taken lease. A real server cannot do so: it stores in order, and whole writes. */
export class NotReplayable extends Error {}

/**
 * Repeats a run of the model on the real server, and compares each answer, each delivery and the log with the model.
 * @throws {NotReplayable} for a run that no server of this kind could have
 */
export async function replay(moments: readonly Moment[]): Promise<void> {
  const problems: string[] = [];
  const scheduler = new Scheduler('replay', new Trace());
  const restore = replacePlatform(scheduler, problems);
  const run = new Replay(await ReplayedServer.open(scheduler), scheduler);
  try {
    await run.begin();
    for (let at = 1; at < moments.length; at++) {
      await run.take(moments[at] as Moment, (moments[at - 1] as Moment).state);
      await run.compare((moments[at] as Moment).state);
    }
    await run.finish((moments.at(-1) as Moment).state);
    assert.deepEqual(problems, []);
  } finally {
    await run.end();
    restore();
  }
}

class Replay {
  readonly #server: ReplayedServer;
  readonly #scheduler: Scheduler;
  /** The tokens of the workers, by their epochs. */
  readonly #tokens = new Map<number, string>();
  readonly #links = new Map<string, ReplayedLink>();
  #answers = new Map<string, Answer | undefined>();

  constructor(server: ReplayedServer, scheduler: Scheduler) {
    this.#server = server;
    this.#scheduler = scheduler;
  }

  async begin(): Promise<void> {
    await this.#claim(1);
    for (const reader of ['viewer1', 'viewer2', 'worker1']) await this.#connect(reader, 0, 1);
  }

  async take({ action, picks, state }: Moment, before: State): Promise<void> {
    const { post, reply, reader = '', kept } = picks;
    if (kept !== undefined) await this.#restart(kept);
    else if (action === 'takes' && post !== undefined) this.#post(post);
    else if (action === 'stores') await this.#store();
    else if (action === 'learns' && reply !== undefined) this.#learn(reply);
    else if (action === 'takesLease') await this.#takeLease(state.epoch);
    else if (action === 'connects') await this.#connect(reader, before.clients[reader]?.cursor ?? 0, before.epoch);
    else if (action === 'streamBreaks') this.#links.get(reader)?.end();
    else if (action === 'gets') this.#get(reader, before);
    await this.#quiet();
  }

  /** Checks that the log of the server is a beginning of the log of the model. */
  async compare({ log }: State): Promise<void> {
    const ids = log.map(({ message }) => idOf(message.id));
    const stored = await this.#server.store.idsOf(this.#server.session);
    assert.deepEqual(stored, ids.slice(0, stored.length), 'the log differs from the log of the model');
    for (const [reader, { received }] of this.#links) {
      received.forEach(({ place, id }, at) => {
        assert.equal(id, stored[place - 1], `${reader} got an event that is not in the log`);
        assert.ok(at === 0 || place > (received[at - 1]?.place ?? 0), `${reader} got events twice or out of order`);
      });
    }
  }

  async finish(state: State): Promise<void> {
    await this.#store();
    const stored = await this.#server.store.idsOf(this.#server.session);
    assert.equal(stored.length, state.log.length, 'the server has stored less than the model');
  }

  async end(): Promise<void> {
    await this.#store();
    await this.#server.end();
  }

  #post(post: Post): void {
    const key = keyOf(post);
    const payloads = post.messages.map(payloadOf);
    const token = this.#tokens.get(post.epoch);
    const asked =
      post.epoch === 0 ? this.#server.say(post.from, payloads) : this.#server.work(token ?? '', post.epoch, payloads);
    const answers = this.#answers;
    answers.set(key, undefined);
    void asked.then((answer) => answers.set(key, answer));
  }

  #learn({ post, conflict, refused }: Reply): void {
    const answer = this.#answers.get(keyOf(post));
    assert.ok(answer, `${post.from} has no answer, but the model has stored its request`);
    assert.equal(answer.status, conflict ? 409 : 200, `${post.from} got another answer than in the model`);
    if (conflict || post.epoch > 0) return;
    const results = answer.body['events'] as readonly { readonly event_id?: string; readonly error?: unknown }[];
    const errors = new Set(results.filter(({ error }) => error !== undefined).map(({ event_id: id }) => id));
    const expected = new Set(refused.map(({ id }) => idOf(id)));
    assert.deepEqual(errors, expected, 'the server refuses other messages than the model');
  }

  /** Settles when nothing is under way except waiting appends. */
  #quiet(): Promise<void> {
    return this.#scheduler.pass(0);
  }

  async #store(): Promise<void> {
    await this.#quiet();
    while (this.#server.store.isWaiting) {
      await this.#server.store.commitNext();
      await this.#quiet();
    }
  }

  async #restart(kept: number): Promise<void> {
    const { store, session } = this.#server;
    let stored = (await store.idsOf(session)).length;
    while (stored < kept && store.isWaiting) {
      await store.commitNext();
      await this.#quiet();
      stored = (await store.idsOf(session)).length;
    }
    if (stored !== kept) throw new NotReplayable();
    await this.#server.restart();
    for (const link of this.#links.values()) link.end();
    this.#links.clear();
    this.#answers = new Map();
  }

  async #takeLease(epoch: number): Promise<void> {
    // The server grants the lease only after all earlier writes.
    await this.#store();
    await this.#claim(epoch);
    for (const [reader, link] of this.#links) {
      if (reader.startsWith('worker')) assert.ok(link.isGone, `${reader} reads on, but another worker has the lease`);
    }
  }

  async #claim(expected: number): Promise<void> {
    const { token, epoch } = await this.#server.claim();
    assert.equal(epoch, expected, 'the lease has another epoch than in the model');
    this.#tokens.set(epoch, token);
  }

  async #connect(reader: string, cursor: number, epoch: number): Promise<void> {
    const token = reader.startsWith('worker') ? this.#tokens.get(epoch) : undefined;
    this.#links.set(reader, await this.#server.follow(reader, cursor, token));
  }

  /** A reader of the model gets an event later than the real one, which gets an event as soon as it is stored. */
  #get(reader: string, { links, log }: State): void {
    const [copy] = links[reader]?.copies ?? [];
    const { received = [] } = this.#links.get(reader) ?? {};
    if (copy === undefined) return;
    const id = idOf(copy.message.id);
    // A viewer that connects after a request was answered need not get it.
    const isSettled = log.some(({ message: { kind } }) => kind.tag === 'Answers' && idOf(kind.value) === id);
    if (received.some((one) => one.id === id && one.place === copy.place) || isSettled) return;
    assert.fail(`${reader} has not got event ${copy.place}, ${id}`);
  }
}

function keyOf({ from, serial }: Post): string {
  return `${from} ${serial}`;
}
