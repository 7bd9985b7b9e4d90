import { onceFor } from '../../../once-for.ts';
import { listOf, member, type Message, type Placed, type Session } from '../../session-log.ts';
import { exchangesOf } from '../exchanges.ts';
import { byKeys } from '../../../by-keys.ts';
import { isInit } from '../timeline.ts';

/** The host's prompts that have an id that no other message has. */
export const promptsOf: (session: Session) => ReadonlyMap<unknown, Placed> = onceFor(({ sent }) => {
  const prompts = new Map<unknown, Placed>();
  const twice = new Set<unknown>();
  for (const placed of sent) {
    const { type, uuid } = placed.message;
    if (type !== 'user' || typeof uuid !== 'string') continue;
    if (prompts.has(uuid)) twice.add(uuid);
    prompts.set(uuid, placed);
  }
  for (const uuid of twice) prompts.delete(uuid);
  return prompts;
});

export const reportsStates = (session: Session) => statesOf(session).length > 0;

/** Follows which prompts wait, as far as the agent has reported. The positions that are asked for must not fall. */
export class WaitingPrompts {
  readonly #prompts: ReadonlyMap<unknown, Placed>;
  readonly #states: readonly Placed[];
  readonly #ids = new Set<unknown>();
  #next = 0;

  /** `isFollowed` chooses the prompts that are followed. */
  constructor(session: Session, isFollowed: (id: unknown) => boolean = () => true) {
    this.#prompts = promptsOf(session);
    this.#states = statesOf(session).filter(
      ({ message: { command_uuid: id } }) => this.#prompts.has(id) && isFollowed(id),
    );
  }

  /** Whether a prompt waited when a request was sent and still waits at a position. */
  has(id: unknown, asked: number, at: number): boolean {
    this.#follow(at);
    return this.#ids.has(id) && (this.#prompts.get(id)?.at ?? Infinity) < asked;
  }

  /** Returns the first prompt that waited when a request was sent, still waits at a position, and satisfies a condition. */
  find(asked: number, at: number, is: (id: unknown) => boolean): unknown {
    this.#follow(at);
    for (const id of this.#ids) if ((this.#prompts.get(id)?.at ?? Infinity) < asked && is(id)) return id;
    return undefined;
  }

  #follow(at: number): void {
    for (; (this.#states[this.#next]?.at ?? Infinity) <= at; this.#next += 1) {
      const { command_uuid: id, state } = this.#states[this.#next]?.message ?? {};
      if (state === 'queued') this.#ids.add(id);
      else this.#ids.delete(id);
    }
  }
}

const statesOf = onceFor(({ received }: Session) =>
  received.filter(({ message }) => message['type'] === 'command_lifecycle'),
);

/** The messages with which the agent reports that it has started a prompt, by the id of the prompt. */
export const startsOf: (session: Session) => ReadonlyMap<unknown, readonly Placed[]> = onceFor(({ received }) =>
  byKeys(received, ({ message }) => (message['state'] === 'started' ? [message['command_uuid']] : [])),
);

/** The prompts that the agent has added to a turn that was already running, by the `result` of the turn. */
export const addedPromptsOf: (session: Session) => ReadonlyMap<Message, ReadonlySet<unknown>> = onceFor(
  ({ received }) => {
    const added = new Map<Message, ReadonlySet<unknown>>();
    let current: Set<unknown> | undefined;
    for (const { message } of received) {
      if (isInit(message)) current = new Set();
      if (message['state'] === 'started') current?.add(message['command_uuid']);
      if (message['type'] !== 'result' || current === undefined) continue;
      added.set(message, current);
      current = undefined;
    }
    return added;
  },
);

interface Removal {
  readonly ids: readonly unknown[];
  readonly asked: number;
  readonly at: number;
}

/** The prompts that the agent has removed, for each of its answers to requests of a subtype. */
export function removedBy(session: Session, wanted: 'interrupt' | 'cancel_async_message'): readonly Removal[] {
  return removalsOf(session).get(wanted) ?? [];
}

const removalsOf = onceFor((session: Session) => {
  const removals = new Map<unknown, Removal[]>([
    ['interrupt', []],
    ['cancel_async_message', []],
  ]);
  for (const { subtype, request, payload, asked, at } of exchangesOf(session)) {
    const own = member(payload, 'cancelled') === true ? [request['message_uuid']] : [];
    removals
      .get(subtype)
      ?.push({ ids: subtype === 'interrupt' ? listOf(member(payload, 'cancelled')) : own, asked, at });
  }
  return removals;
});
