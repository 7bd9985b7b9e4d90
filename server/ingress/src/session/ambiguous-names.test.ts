import { expect, test } from 'vitest';
import { inSteps } from '../event-loop.ts';
import { hasAmbiguousNames } from './ambiguous-names.ts';

const answer =
  '{"type":"control_response","response":{"subtype":"success","request_id":"p","response":{"behavior":"allow"}}}';

test.each([
  answer,
  '{"type":"control_response","response":{"response":{"updatedInput":{"Type":1,"type":2,"a":1,"A":2}}}}',
  '{"type":"keep_alive","note":"\\"type\\":1"}',
  '{"response":[{"type":1,"type":2}]}',
  '{"type":"control_response","response":{"subtype":"success","requestId":"p","response":{"behavior":"allow"}}}',
])('%s is unambiguous', async (text) => {
  expect(await inSteps(hasAmbiguousNames(text))).toBe(false);
});

test.each([
  '{"type":"user","type":"control_response"}',
  '{"type":"control_response","\\u0074ype":"user"}',
  '{"Type":"user","type":"control_response"}',
  '{"TYPE":"control_response"}',
  '{"type":"control_response","re\u017fponse":{}}',
  '{"type":"control_response","re\\u017fponse":{}}',
  '{"response":{"request_id":"a","request_id":"b"}}',
  '{"response":{"Request_Id":"a"}}',
  '{"response":{"requestId":"a","request_id":"b"}}',
  '{"response":{"RequestId":"a"}}',
  '{"response":{"response":{"behavior":"allow","Behavior":"deny"}}}',
  '{"response":{"response":{"x":1,"X":2}}}',
  '{"response":{"response":{"behavior":"allow"}},"Response":1}',
])('%s is ambiguous', async (text) => {
  expect(await inSteps(hasAmbiguousNames(text))).toBe(true);
});
