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
  const { onOver, said, heard, ended } = turns();
  said(prompt('one'));
  said(prompt('two'));
  heard(result('one'));
  ended();
  expect(onOver).not.toHaveBeenCalled();
  heard(result('two'));
  expect(onOver).toHaveBeenCalledTimes(1);
});

test('one result can answer several prompts', () => {
  const { onOver, said, heard, ended } = turns();
  said(prompt('one'));
  said(prompt('two'));
  ended();
  heard(result('one', 'two'));
  expect(onOver).toHaveBeenCalledTimes(1);
});

test('a client also waits for its requests, and for tasks that go on after the result', () => {
  const { onOver, said, heard, ended } = turns();
  said(request);
  ended();
  expect(onOver).not.toHaveBeenCalled();
  heard({ type: 'system', subtype: 'task_started', task_id: 't' });
  heard(answer);
  expect(onOver).not.toHaveBeenCalled();
  heard({ type: 'system', subtype: 'task_notification', task_id: 't', status: 'stopped' });
  expect(onOver).toHaveBeenCalledTimes(1);
});

test('a client that asked for nothing is never done, whatever other clients do', () => {
  const { onOver, heard, ended } = turns();
  ended();
  heard({ type: 'system', subtype: 'init' });
  heard(result('of-another'));
  expect(onOver).not.toHaveBeenCalled();
});

test('a prompt that is sent again after its result has no second result, whichever client had sent the prompt first', () => {
  const { onOver, said, heard, ended } = turns();
  heard({ type: 'system', subtype: 'init' });
  heard(result('before'));
  heard({ type: 'system', subtype: 'init' });
  said(prompt('one'));
  heard(result('one'));
  said(prompt('one'));
  said(prompt('before'));
  ended();
  expect(onOver).toHaveBeenCalledTimes(1);
});

test('a client does not wait for a request that it has cancelled', () => {
  const { onOver, said, ended } = turns();
  said(request);
  said({ type: 'control_cancel_request', request_id: 'r' });
  ended();
  expect(onOver).toHaveBeenCalledTimes(1);
});

test('a prompt without an id gets one, and is followed by that id; other messages stay as they are', () => {
  const { onOver, said, heard, ended } = turns();
  const { uuid, ...others } = said({ type: 'user', message: { role: 'user', content: 'x' } });
  expect(others).toEqual({ type: 'user', message: { role: 'user', content: 'x' } });
  ended();
  expect(onOver).not.toHaveBeenCalled();
  heard(result(String(uuid)));
  expect(onOver).toHaveBeenCalledTimes(1);
  for (const message of [prompt('one'), request]) expect(said(message)).toBe(message);
});
