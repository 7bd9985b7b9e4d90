import { LONGEST_TIMER_MS } from '@proto/core/network';
import { match, type Variables } from '@proto/testkit/steps';

import type { HostAnswer, RunningHost } from './host-program.ts';

/** The decisions of the user about questions that are open or will arrive later. The first decision that matches a question answers it. */
export class UserDecisions {
  readonly #host: RunningHost;
  readonly #variables: Variables;
  readonly #decisions: { readonly pattern: unknown; readonly answer: HostAnswer }[] = [];

  constructor(host: RunningHost, variables: Variables) {
    this.#host = host;
    this.#variables = variables;
  }

  add(pattern: unknown, answer: HostAnswer): void {
    this.#decisions.push({ pattern, answer });
    for (const { value } of this.#host.inbox.received) this.#answer(value);
    if (this.#decisions.length === 1) void this.#follow(this.#host.inbox.received.length);
  }

  async #follow(first: number): Promise<void> {
    const { inbox } = this.#host;
    for (let at = first; ; at += 1) {
      const found = await inbox.find(() => true, at, LONGEST_TIMER_MS).catch(() => undefined);
      if (found === undefined) return;
      this.#answer(inbox.received[found]?.value);
    }
  }

  #answer(event: unknown): void {
    const { type, id } = event as { readonly type?: unknown; readonly id?: unknown };
    if (type !== 'question' || this.#host.answers?.has(id) === true) return;
    const decision = this.#decisions.find(({ pattern }) => match(pattern, event, this.#variables).ok);
    if (decision !== undefined) this.#host.send({ type: 'answer', id, ...decision.answer });
  }
}
