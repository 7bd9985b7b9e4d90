import { expect, test } from 'vitest';

import { answer, ask, asks, init, type Part, prompt, result, session, state } from '../rules/sessions.test-support.ts';
import { factsOfAgent } from './agent-facts.ts';

const request = (id: string, subtype: string, more: object = {}) => ({
  sent: { type: 'control_request', request_id: id, request: { subtype, ...more } },
});
const success = (id: string) => answer(id, { subtype: 'success', response: {} });
const hook = (id: string) => ({
  type: 'control_request',
  request_id: id,
  request: { subtype: 'hook_callback', callback_id: 'stop' },
});
const answered = [prompt, init(), result({ user_message_uuids: ['p1'] }), state('p1', 'completed')];
const factsOf = (parts: readonly Part[], more: Parameters<typeof session>[1] = {}, isByTool = true) =>
  Object.fromEntries(factsOfAgent([session(parts, more)], isByTool));

test('the answers to requests, the ends of prompts and the exit', () => {
  const refused = answer('r2', { subtype: 'error', error: 'no', error_code: 'invalid_request' });
  const parts = [asks, success('r1'), request('r2', 'set_model'), refused, request('r3', 'mcp_status'), ...answered];
  expect(factsOf(parts, { exit: 1 })).toEqual({
    'answer to initialize #1/r1': 'success',
    'answer to set_model #1/r2': 'error invalid_request',
    'result of a prompt #1/p1': 'success',
    'final state of a prompt #1/p1': 'completed',
    'exit #1': 'code 1',
  });
});

test('a question and a call of a hook count once, even if the agent repeats them', () => {
  const mcp = { ...ask('q3'), request: { ...ask('q3').request, tool_name: 'mcp__conformance__add' } };
  const parts = [...answered, ask('q1'), ask('q1'), ask('q2'), mcp, hook('h1'), hook('h2')];
  expect(factsOf(parts)).toMatchObject({
    'permission requests for Bash': '2',
    'permission requests for mcp__conformance__add': '1',
    'calls of the hook "stop"': '2',
  });
  expect(factsOf(parts, {}, false)).toMatchObject({ 'permission requests for tools of the agent': '2' });
});

test('a prompt that was open at an interrupt is left out, and nothing is counted', () => {
  const interrupt = request('r2', 'interrupt');
  const reached = [prompt, init(), hook('h1'), interrupt, success('r2'), result({ user_message_uuids: ['p1'] })];
  expect(factsOf(reached)).toEqual({ 'answer to interrupt #1/r2': 'success', 'exit #1': 'code 0' });
  expect(factsOf([...answered, hook('h1'), interrupt])).toMatchObject({
    'result of a prompt #1/p1': 'success',
    'calls of the hook "stop"': '1',
  });
  const withdrawn = (uuid: string) => request('r2', 'cancel_async_message', { message_uuid: uuid });
  expect(factsOf([prompt, withdrawn('p1'), state('p1', 'cancelled')])).toEqual({ 'exit #1': 'code 0' });
  expect(factsOf([prompt, withdrawn('p2'), state('p1', 'cancelled')])).toMatchObject({
    'final state of a prompt #1/p1': 'cancelled',
  });
});

test('a process that the suite has ended has no exit, and after a signal of a step nothing is counted', () => {
  expect(factsOf([hook('h1')], { signalled: true })).toEqual({ 'calls of the hook "stop"': '1' });
  expect(factsOf([hook('h1')], { signalled: true, signalledByStep: true, exit: 143 })).toEqual({
    'exit #1': 'code 143',
  });
});
