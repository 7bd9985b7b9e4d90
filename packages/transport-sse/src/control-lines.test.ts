import { expect, test } from 'vitest';
import { answeredRequest, isControlType, typeOf } from './control-lines.ts';

test('the type of a message is read only if it is a text', () => {
  const texts = ['{"type":"user"}', '{"type":7}', '[1]', 'null', 'no json'];
  expect(texts.map(typeOf)).toEqual(['user', undefined, undefined, undefined, undefined]);
});

test('isControlType recognizes control traffic, and answeredRequest names the answered request', () => {
  const types = ['control_request', 'control_response', 'control_cancel_request', 'user', undefined];
  expect(types.map(isControlType)).toEqual([true, true, true, false, false]);
  const answer = '{"type":"control_response","response":{"request_id":"r1"}}';
  expect(answeredRequest('control_response', answer)).toEqual({ request_id: 'r1' });
  expect(answeredRequest('control_response', 'no json')).toEqual({ request_id: undefined });
  expect(answeredRequest('user', answer)).toBeUndefined();
});
