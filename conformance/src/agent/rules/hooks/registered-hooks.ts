import { isObject, shortJson } from '@proto/testkit/steps';

import { member, type Message } from '../../session-log.ts';
import { answeredId, payloadOf, subtypeOf } from '../timeline.ts';

/** A matcher from the last `initialize`. */
export interface Matcher {
  readonly matcher: unknown;
  readonly ids: readonly unknown[];
  /** In seconds. */
  readonly timeout: unknown;
}

/** Stands for the hooks of a request without hooks, which keeps those of an earlier request. */
const KEPT: Message = {};

/** The registered hooks, by event. While a registration is not answered, the hooks are unknown, because it is not certain which hooks apply to a call. */
export class Registered {
  readonly #asked = new Map<unknown, { readonly number: number; readonly hooks: Message | undefined }>();
  #numberOfHooks = -1;
  #requests = 0;
  #hooks: Message | undefined;
  /** How many registrations the agent has accepted. */
  count = 0;

  /** Whether it is certain which hooks are registered. */
  get isKnown(): boolean {
    return this.#asked.size === 0 && this.#hooks !== undefined;
  }

  follow(message: Message, isOurs: boolean): void {
    if (isOurs && subtypeOf(message) === 'initialize') {
      const hooks = member(message, 'request', 'hooks');
      const kept = hooks === undefined || hooks === null ? KEPT : undefined;
      this.#asked.set(message['request_id'], { number: this.#requests, hooks: isObject(hooks) ? hooks : kept });
      this.#requests += 1;
    }
    const id = answeredId(message);
    const asked = isOurs ? undefined : this.#asked.get(id);
    if (asked === undefined) return;
    if (payloadOf(message) !== undefined) {
      if (asked.hooks === KEPT) this.#hooks ??= {};
      // The agent may answer requests in another order.
      else if (asked.number > this.#numberOfHooks) [this.#hooks, this.#numberOfHooks] = [asked.hooks, asked.number];
      this.count += 1;
    }
    this.#asked.delete(id);
  }

  of(event: string): readonly Matcher[] {
    const list = this.#asked.size > 0 ? [] : this.#hooks?.[event];
    return (Array.isArray(list) ? list : []).map((each: unknown) => {
      const ids = member(each, 'hookCallbackIds');
      return {
        matcher: member(each, 'matcher'),
        ids: Array.isArray(ids) ? (ids as unknown[]) : [],
        timeout: member(each, 'timeout'),
      };
    });
  }
}

// An expression for whole names that has the same meaning in every language.
const SIMPLE_EXPRESSION = /^\^(?:\w|\.\*)+\$$/;

/** Whether a matcher matches a name. `undefined` for most regular expressions, because their syntax depends on the language of the agent. */
export function fits(matcher: unknown, name: unknown): boolean | undefined {
  if (matcher === undefined || matcher === null || matcher === '') return true;
  const text = shortJson(matcher, 1000).slice(1, -1);
  if (SIMPLE_EXPRESSION.test(text)) return new RegExp(text).test(String(name));
  return /^[\w| -]+$/.test(text) ? text.split('|').includes(String(name)) : undefined;
}
