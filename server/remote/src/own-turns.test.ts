import { expect, test, vi } from 'vitest';
import { createOwnTurns } from './own-turns.ts';

function turns() {
  const onOver = vi.fn();
  return { onOver, ...createOwnTurns(onOver) };
}
const prompt = (uuid: string) => ({ type: 'user', uuid, message: { role: 'user', content: 'x' } });
const result = (...user_message_uuids: string[]) => ({ type: 'result', subtype: 'success', user_message_uuids });
const request = { type: 'control_request', request_id: 'r', request: { subtype: 'initialize' } };
const answer = { type: 'control_response', response: { subtype: 'success', request_id: 'r' } };

test('a client is done when its input has ended and every prompt has its result', () => {
  const { onOver, sent, received, ended } = turns();
  sent(prompt('one'));
  sent(prompt('two'));
  received(result('one'));
  ended();
  expect(onOver).not.toHaveBeenCalled();
  received(result('two'));
  expect(onOver).toHaveBeenCalledTimes(1);
});

test('one result can answer several prompts', () => {
  const { onOver, sent, received, ended } = turns();
  sent(prompt('one'));
  sent(prompt('two'));
  ended();
  received(result('one', 'two'));
  expect(onOver).toHaveBeenCalledTimes(1);
});

test('a client also waits for its requests, and for tasks that go on after the result', () => {
  const { onOver, sent, received, ended } = turns();
  sent(request);
  ended();
  expect(onOver).not.toHaveBeenCalled();
  received({ type: 'system', subtype: 'task_started', task_id: 't' });
  received(answer);
  expect(onOver).not.toHaveBeenCalled();
  received({ type: 'system', subtype: 'task_notification', task_id: 't', status: 'stopped' });
  expect(onOver).toHaveBeenCalledTimes(1);
});

test('a client that asked for nothing is never done, whatever other clients do', () => {
  const { onOver, received, ended } = turns();
  ended();
  received({ type: 'system', subtype: 'init' });
  received(result('of-another'));
  expect(onOver).not.toHaveBeenCalled();
});

test('a prompt that is sent again after its result has no second result, whichever client had sent the prompt first', () => {
  const { onOver, sent, received, ended } = turns();
  received({ type: 'system', subtype: 'init' });
  received(result('before'));
  received({ type: 'system', subtype: 'init' });
  sent(prompt('one'));
  received(result('one'));
  sent(prompt('one'));
  sent(prompt('before'));
  ended();
  expect(onOver).toHaveBeenCalledTimes(1);
});

test('a client does not wait for a request that it has cancelled', () => {
  const { onOver, sent, ended } = turns();
  sent(request);
  sent({ type: 'control_cancel_request', request_id: 'r' });
  ended();
  expect(onOver).toHaveBeenCalledTimes(1);
});

test('a prompt without an id gets one, and is followed by that id; other messages stay as they are', () => {
  const { onOver, sent, received, ended } = turns();
  const { uuid, ...others } = sent({ type: 'user', message: { role: 'user', content: 'x' } });
  expect(others).toEqual({ type: 'user', message: { role: 'user', content: 'x' } });
  ended();
  expect(onOver).not.toHaveBeenCalled();
  received(result(String(uuid)));
  expect(onOver).toHaveBeenCalledTimes(1);
  for (const message of [prompt('one'), request]) expect(sent(message)).toBe(message);
});
