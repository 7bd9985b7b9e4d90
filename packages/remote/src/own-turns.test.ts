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

test('it is over when the input has ended and every prompt has its result', () => {
  const { onOver, said, heard, ended } = turns();
  said(prompt('one'));
  said(prompt('two'));
  heard(result('one'));
  ended();
  expect(onOver).not.toHaveBeenCalled();
  heard(result('two'));
  expect(onOver).toHaveBeenCalledTimes(1);
});

test('one result may be for several prompts', () => {
  const { onOver, said, heard, ended } = turns();
  said(prompt('one'));
  said(prompt('two'));
  ended();
  heard(result('one', 'two'));
  expect(onOver).toHaveBeenCalledTimes(1);
});

test('a request is waited for, too, and a task that goes on behind the result', () => {
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

test('whoever said nothing goes on listening, whatever others do', () => {
  const { onOver, heard, ended } = turns();
  ended();
  heard({ type: 'system', subtype: 'init' });
  heard(result('of-another'));
  expect(onOver).not.toHaveBeenCalled();
});

test('a prompt that is said again behind its result has no other, whoever had said it first', () => {
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

test('a request that is taken back needs no answer', () => {
  const { onOver, said, ended } = turns();
  said(request);
  said({ type: 'control_cancel_request', request_id: 'r' });
  ended();
  expect(onOver).toHaveBeenCalledTimes(1);
});
