import type { RequestContext } from '@proto/core';
import { countUntil } from '@proto/core/internal';

/** Asks the program; `null` says that the answer comes later, by `respond`. The signal also aborts when somebody else has answered. */
export type Ask<Request, Answer> = (
  request: Request,
  context: RequestContext,
) => Answer | null | Promise<Answer | null>;

/** What the agent has asked and is not answered: each once, by who was asked or by `respond`, whichever comes first. */
export interface Questions {
  readonly size: number;
  /** Rejects when the agent takes the question back, or the session ends. `refusal` is the answer when it is given up. */
  ask<Request, Answer>(
    request: Request,
    context: RequestContext,
    ask: Ask<Request, Answer>,
    refusal?: Answer,
  ): Promise<unknown>;
  /** False where no such question is open: answered, taken back, or never asked. */
  respond(requestId: unknown, answer: unknown): boolean;
  /** Answers those that have a refusal with it. */
  giveUp(): void;
}

// In place of a callback while it is being called.
const RETURNED = Promise.resolve();

/** Makes the open questions of one session; `onChange` is called when there are more or fewer. */
export function createQuestions(onChange: () => void): Questions {
  const open = new Map<unknown, (answer: unknown) => void>();
  const refusals = new Map<unknown, () => void>();
  return {
    get size() {
      return open.size;
    },
    respond(requestId, answer) {
      const settle = open.get(requestId);
      settle?.(answer);
      return settle !== undefined;
    },
    giveUp() {
      for (const refuse of refusals.values()) refuse();
    },
    ask(request, context, ask, refusal) {
      const { requestId, signal } = context;
      return new Promise((resolve, reject) => {
        const elsewhere = new AbortController();
        let isOpen = true;
        // The id may be that of another question by then: agents use one again.
        const close = () => {
          if (!isOpen) return;
          isOpen = false;
          refusals.delete(requestId);
          open.delete(requestId);
          onChange();
        };
        const settle = (answer: unknown) => {
          if (isOpen) resolve(answer);
          close();
        };
        const fail = (error: unknown) => {
          close();
          reject(error);
        };
        open.set(requestId, (answer) => {
          settle(answer);
          elsewhere.abort(new DOMException('answered elsewhere', 'AbortError'));
        });
        let asked: Promise<unknown> = RETURNED;
        // Neither is the program's doing, so an agent could have any number of its callbacks run: each counts until it has returned.
        const abandon = () => countUntil(context, asked);
        const refuse = () => {
          abandon();
          open.get(requestId)?.(refusal);
        };
        if (refusal !== undefined) refusals.set(requestId, refuse);
        onChange();
        signal.addEventListener('abort', () => {
          abandon();
          fail(signal.reason);
        });
        const asking = async () => ask(request, { requestId, signal: AbortSignal.any([signal, elsewhere.signal]) });
        const returned = asking();
        asked = returned;
        returned.then((answer) => {
          if (answer !== null) settle(answer);
        }, fail);
      });
    },
  };
}
