import assert from 'node:assert/strict';
import { failure, outcomeOf, quiet, type Scenario, scriptHost, success, watchedSignal } from '@proto/test-support';
import { createPendingRequests } from './pending-requests.ts';

const STEPS = [
  'ask',
  'ask with a deadline',
  'the oldest is answered',
  'the newest is answered',
  'the oldest is refused',
  'the newest is aborted',
  'an answer is repeated',
  'an answer nobody asked for',
  'an answer without an id',
  'the deadlines pass',
  'time passes',
  'the link ends',
] as const;

interface Asked {
  readonly id: string;
  readonly abort: () => void;
  readonly listeners: () => number;
  readonly hasDeadline: boolean;
  readonly outcome: { readonly now: string | undefined };
  readonly answer: Promise<unknown>;
  /** Undefined while the request is pending. */
  expected: string | undefined;
}

/** Pending requests: each settles once, with the first event that concerns it, and leaves no listener. */
export const pendingRequests: Scenario<(typeof STEPS)[number]> = {
  name: 'pending requests',
  steps: STEPS,
  maxSteps: 16,
  async run(schedule) {
    const { pending, cancels, frames } = scriptHost(createPendingRequests);
    const asked: Asked[] = [];
    let ended = false;
    const open = () => asked.filter(({ expected }) => expected === undefined);
    const taken: string[] = [];

    const ask = (hasDeadline: boolean) => {
      const { controller, signal, listeners } = watchedSignal();
      const id = pending.createId();
      const options = { signal, requestId: id, ...(hasDeadline && { timeoutMs: 1 }) };
      const answer = pending.request({ subtype: 'initialize' }, options);
      const expected = ended ? 'rejected: Stream closed' : undefined;
      const abort = () => controller.abort(new Error('aborted'));
      asked.push({ id, abort, listeners, hasDeadline, outcome: outcomeOf(answer), answer, expected });
    };
    const settle = (one: Asked | undefined, expected: string) => {
      if (one === undefined) return;
      one.expected = expected;
      const isSuccess = expected.startsWith('gave');
      const answer = isSuccess ? success(one.id, { id: one.id }) : failure(one.id, 'refused');
      assert.equal(pending.settle(answer), 'settled');
    };
    const given = (one: Asked | undefined) => `gave ${JSON.stringify({ id: one?.id })}`;
    const cancelled = (one: Asked | undefined, expected: string) => {
      if (one === undefined) return;
      one.expected = expected;
      taken.push(one.id);
    };
    const actions: Readonly<Record<(typeof STEPS)[number], () => unknown>> = {
      ask: () => ask(false),
      'ask with a deadline': () => ask(true),
      'the oldest is answered': () => settle(open()[0], given(open()[0])),
      'the newest is answered': () => settle(open().at(-1), given(open().at(-1))),
      'the oldest is refused': () => settle(open()[0], 'rejected: refused'),
      'the newest is aborted'() {
        const one = open().at(-1);
        cancelled(one, 'rejected: aborted');
        one?.abort();
      },
      'an answer is repeated'() {
        const one = asked.find(({ expected }) => expected !== undefined);
        if (one !== undefined) assert.equal(pending.settle(success(one.id, {})), 'late');
      },
      'an answer nobody asked for': () => assert.equal(pending.settle(success('stranger', {})), 'unknown'),
      'an answer without an id': () => assert.equal(pending.settle({ type: 'control_response' }), 'invalid'),
      async 'the deadlines pass'() {
        const due = open().filter(({ hasDeadline }) => hasDeadline);
        for (const one of due) cancelled(one, 'rejected: no answer to initialize within 1 ms');
        await Promise.allSettled(due.map(({ answer }) => answer));
      },
      'time passes': () => Promise.resolve(),
      'the link ends'() {
        ended = true;
        for (const one of open()) one.expected = 'rejected: gone';
        pending.close(new Error('gone'));
      },
    };
    for (const step of [...schedule, 'the link ends'] as const) {
      await actions[step]();
      assert.equal(pending.size, open().length);
    }
    await quiet();
    assert.deepEqual(
      asked.map(({ outcome }) => outcome.now),
      asked.map(({ expected }) => expected),
    );
    assert.deepEqual(cancels(), taken);
    const unsent = asked.filter(({ expected }) => expected === 'rejected: Stream closed');
    assert.equal(frames.length, asked.length - unsent.length + taken.length);
    for (const { listeners } of asked) assert.equal(listeners(), 0);
  },
};
