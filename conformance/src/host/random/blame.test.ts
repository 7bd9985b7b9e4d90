import { expect, test } from 'vitest';

import { blamedRequirement } from './blame.ts';

const fromAgent = (line: string) => ({ t: 0, dir: 'from-agent' as const, line });
const request = fromAgent('{"type":"control_request","request_id":"q1","request":{"subtype":"conformance_probe"}}');
const answer = {
  t: 0,
  dir: 'from-host' as const,
  line: '{"type":"control_response","response":{"subtype":"error","request_id":"q1","error":"unknown"}}',
};

test.each([
  ['null', 'FRM-26'],
  ['[debug] ready', 'FRM-24'],
  ['{ ready }', 'FRM-25'],
  ['{"type":"hologram"}', 'MSG-9'],
  ['{"type":"result","is_error":true}', 'TRN-63'],
  ['{"type":"system","subtype":"init"}', 'TRN-15'],
])('the last line that is not usual is blamed: %s', (line, requirement) => {
  expect(blamedRequirement({ written: [fromAgent(line), request] })).toBe(requirement);
});

test('a line after which the host need not continue is blamed before a later line', () => {
  const cancel = fromAgent('{"type":"control_cancel_request","request_id":"q9"}');
  expect(blamedRequirement({ written: [fromAgent('null'), cancel] })).toBe('FRM-26');
  expect(blamedRequirement({ written: [fromAgent('null'), request, answer, cancel] })).toBe('CTL-27');
});

test('a cancel of an answered request does not show that the host has read it', () => {
  const cancel = fromAgent('{"type":"control_cancel_request","request_id":"q1"}');
  expect(blamedRequirement({ written: [request, fromAgent('null'), cancel, answer] })).toBe('FRM-26');
});

test('a line that the host has read is not blamed', () => {
  expect(blamedRequirement({ written: [fromAgent('null'), request, answer] })).toBe('TRN-15');
});
