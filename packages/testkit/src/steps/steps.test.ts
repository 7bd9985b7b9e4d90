import { describe, expect, test } from 'vitest';

import { servedAnswer } from './control.ts';
import { Inbox, NotReceived } from './inbox.ts';
import { runSteps } from './run-steps.ts';
import { createScope, type Scope } from './scope.ts';
import type { Step } from './step.ts';
import { StepFailure } from './step-failure.ts';

/** A scope with one party, and the texts that the party has sent. */
function scopeWith(...received: unknown[]) {
  const inbox = new Inbox();
  const sent: unknown[] = [];
  const party = { name: 'us', inbox, sendText: (text: string) => void sent.push(JSON.parse(text)) };
  const scope = createScope({ parties: [party], timeoutScale: 0.001 });
  for (const value of received) inbox.add({ value, text: JSON.stringify(value), at: 0 });
  return { scope, inbox, sent };
}

const failureOf = async (steps: Step[], scope: Scope): Promise<unknown> => {
  const error = await runSteps(steps, scope).then(
    () => undefined,
    (cause: unknown) => cause,
  );
  return error instanceof Error ? error.cause : error;
};

describe('expect', () => {
  test('reads up to the message that matches, so that the next step begins after it', async () => {
    const { scope } = scopeWith({ type: 'a', n: 1 }, { type: 'b' }, { type: 'a', n: 2 });
    await runSteps(
      [
        { expect: { type: 'a' }, as: 'first' },
        { expect: { type: 'a' }, as: 'second' },
      ],
      scope,
    );
    expect(scope.variables.get('second.n')).toBe(2);
    expect(await failureOf([{ expect: { type: 'b' } }], scope)).toBeInstanceOf(StepFailure);
    await runSteps([{ expect: { type: 'b' }, anywhere: true }], scope);
  });

  test('next refuses any other message', async () => {
    const { scope } = scopeWith({ type: 'a' }, { type: 'b' });
    expect(await failureOf([{ expect: { type: 'b' }, next: true }], scope)).toMatchObject({ got: { type: 'a' } });
  });

  test('fails at once when nothing more can arrive, and names the nearest message', async () => {
    const { scope, inbox } = scopeWith({ type: 'a', n: 1 }, { type: 'c' });
    inbox.end('the agent exited with code 1');
    const failure = await failureOf([{ expect: { type: 'a', n: 2 }, within: 1e9 }], scope);
    expect(String(failure)).toContain(
      'the agent exited with code 1. The most similar message differs: n: expected 2, got 1.',
    );
  });

  test('names the step and its verb', async () => {
    const { scope } = scopeWith();
    await expect(runSteps([{ say: {} }, { expect: { type: 'a' } }], scope)).rejects.toThrow(/^Step 2 \(expect\): /);
  });

  test('expect-all takes each message once', async () => {
    const { scope } = scopeWith({ type: 'b' }, { type: 'a' });
    await runSteps([{ 'expect-all': [{ type: 'a' }, { type: 'b' }] }], scope);
    const { scope: other, inbox } = scopeWith({ type: 'a' });
    inbox.end('it has ended');
    expect(await failureOf([{ 'expect-all': [{ type: 'a' }, { type: 'a' }] }], other)).toBeInstanceOf(StepFailure);
  });
});

describe('expect-none', () => {
  test('until: a message before the last one fails', async () => {
    const { scope } = scopeWith({ type: 'bad' }, { type: 'end' });
    expect(await failureOf([{ 'expect-none': { type: 'bad' }, until: { type: 'end' } }], scope)).toBeInstanceOf(
      StepFailure,
    );
    const { scope: other } = scopeWith({ type: 'good' }, { type: 'end' }, { type: 'bad' });
    await runSteps([{ 'expect-none': { type: 'bad' }, until: { type: 'end' } }], other);
  });

  test('until: the last message has to arrive', async () => {
    const { scope, inbox } = scopeWith({ type: 'good' });
    inbox.end('it has ended');
    expect(await failureOf([{ 'expect-none': { type: 'bad' }, until: { type: 'end' } }], scope)).toBeInstanceOf(
      StepFailure,
    );
  });

  test('within: silence passes', async () => {
    const { scope } = scopeWith({ type: 'good' });
    await runSteps([{ 'expect-none': { type: 'bad' }, within: 5 }], scope);
    expect(await failureOf([{ 'expect-none': { type: 'good' }, within: 5 }], scope)).toBeInstanceOf(StepFailure);
  });

  test('since: the time begins with a message, and messages that were sent after the time do not count', async () => {
    const { scope, inbox } = scopeWith();
    const steps = [
      { expect: { type: 'end' }, as: 'end' },
      { 'expect-none': { type: 'bad' }, since: 'end', within: 1e6 },
    ];
    inbox.add({ value: { type: 'end' }, text: '', at: 0 }, 1100);
    inbox.add({ value: { type: 'bad' }, text: '', at: 0 });
    await runSteps(steps, scope);
    inbox.add({ value: { type: 'end' }, text: '', at: 0 }, 1100);
    inbox.add({ value: { type: 'bad' }, text: '', at: 0 }, 200);
    expect(await failureOf(steps, scope)).toBeInstanceOf(StepFailure);
  });
});

describe('control requests', () => {
  test('an answer may have arrived before a message that an earlier step has read', async () => {
    const answer = {
      type: 'control_response',
      response: { subtype: 'success', request_id: 'request-1', response: { ok: 1 } },
    };
    const { scope, sent } = scopeWith(answer, { type: 'a' });
    await runSteps(
      [
        { request: { subtype: 'x' }, as: 'asked' },
        { expect: { type: 'a' } },
        { 'expect-answer': 'asked', with: { ok: 1 } },
      ],
      scope,
    );
    expect(sent).toEqual([{ type: 'control_request', request_id: 'request-1', request: { subtype: 'x' } }]);
    expect(await failureOf([{ 'expect-answer': 'asked', with: { ok: 2 } }], scope)).toBeInstanceOf(StepFailure);
    expect(await failureOf([{ 'expect-answer': 'asked', error: { $any: true } }], scope)).toBeInstanceOf(StepFailure);
  });

  test('answers carry the id of the request', async () => {
    const ask = { type: 'control_request', request_id: 'q1', request: { subtype: 'can_use_tool', input: { a: 1 } } };
    const { scope, sent } = scopeWith(ask);
    const allow = { behavior: 'allow', updatedInput: '${ask.request.input}' };
    await runSteps(
      [
        { expect: ask, as: 'ask' },
        { answer: 'ask', with: allow },
        { answer: 'ask', error: 'no' },
      ],
      scope,
    );
    expect(sent).toEqual([
      {
        type: 'control_response',
        response: { subtype: 'success', request_id: 'q1', response: { behavior: 'allow', updatedInput: { a: 1 } } },
      },
      { type: 'control_response', response: { subtype: 'error', request_id: 'q1', error: 'no' } },
    ]);
    await runSteps(
      [{ serve: { can_use_tool: { behavior: 'allow', updatedInput: '${served.request.input}' } } }],
      scope,
    );
    expect(servedAnswer(ask, scope)).toEqual(sent[0]);
    expect(servedAnswer({ type: 'control_request', request: { subtype: 'other' } }, scope)).toBeUndefined();
  });

  test('serve answers earlier unread requests once, but not requests that an earlier step has read', async () => {
    const asks = ['q1', 'q2', 'q3'].map((id) => ({
      type: 'control_request',
      request_id: id,
      request: { subtype: 'can_use_tool' },
    }));
    const { scope, sent } = scopeWith(...asks);
    await runSteps(
      [
        { expect: { type: 'control_request' }, as: 'read' },
        { serve: { can_use_tool: { behavior: 'allow' } } },
        { serve: { can_use_tool: { behavior: 'deny' } } },
      ],
      scope,
    );
    const response = { subtype: 'success', response: { behavior: 'allow' } };
    expect(sent).toEqual(
      ['q2', 'q3'].map((id) => ({ type: 'control_response', response: { ...response, request_id: id } })),
    );
  });
});

test('serve answers a hook by its id, answers with an error, and ends with null', async () => {
  const hook = (id: string, callback_id: string) => ({
    type: 'control_request',
    request_id: id,
    request: { subtype: 'hook_callback', callback_id },
  });
  const { scope, sent } = scopeWith(hook('h1', 'one'), hook('h2', 'two'));
  await runSteps([{ serve: { 'hook_callback/one': { $error: 'no' }, hook_callback: { continue: true } } }], scope);
  expect(sent).toEqual([
    { type: 'control_response', response: { subtype: 'error', request_id: 'h1', error: 'no' } },
    { type: 'control_response', response: { subtype: 'success', request_id: 'h2', response: { continue: true } } },
  ]);
  await runSteps([{ serve: { hook_callback: null } }], scope);
  expect(servedAnswer(hook('h3', 'two'), scope)).toBeUndefined();
  // Requests that were answered before are not answered again.
  await runSteps([{ serve: { hook_callback: {} } }], scope);
  // One hook can stay without an answer.
  await runSteps([{ serve: { 'hook_callback/two': null } }], scope);
  expect(servedAnswer(hook('h4', 'two'), scope)).toBeUndefined();
  expect(servedAnswer(hook('h5', 'three'), scope)).toBeDefined();
  expect(sent).toHaveLength(2);
});

test('waiting in an inbox ends when the signal aborts', async () => {
  const abort = new AbortController();
  const inbox = new Inbox();
  const found = inbox.find(() => true, 0, 60_000, abort.signal);
  abort.abort(new Error('enough'));
  await expect(found).rejects.toThrow('enough');
  inbox.end('it has ended');
  await expect(inbox.find(() => true, 0, 60_000)).rejects.toThrow(NotReceived);
});
