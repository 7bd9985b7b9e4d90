import { describe, expect, test } from 'vitest';
import type * as z from 'zod/mini';
import { flattenIssues } from '../drift/zod-issues.ts';
import { controlCancelFrame, controlRequestFrame, controlResponseFrame } from './control-frames.ts';
import { controlResponses } from './control/requests.ts';

const request = { type: 'control_request', request_id: 'r1', request: { subtype: 'can_use_tool' } };
const allow = { ...request.request, tool_name: 'Bash', input: {}, tool_use_id: 't1' };
const pathsOf = (schema: z.ZodMiniType, value: unknown) => flattenIssues(schema.safeParse(value).error?.issues ?? []).map(({ path }) => path.join('.'));

describe('a control request', () => {
  test.each([
    ['of a declared kind', allow],
    ['of an undeclared kind', { subtype: 'get_plan' }],
    ['of an unknown kind, with any members', { subtype: 'moon_rise', phase: ['full'] }],
    ['with unknown members', { subtype: 'interrupt', gently: true }],
    ['of a host without hooks', { subtype: 'initialize', hooks: null }],
    ['of a host without a matcher', { subtype: 'initialize', hooks: { Stop: [{ matcher: null, hookCallbackIds: [] }] } }],
  ])('%s passes unchanged', (_, body) => {
    const frame = { ...request, request: body };
    expect(controlRequestFrame.safeParse(frame)).toEqual({ success: true, data: frame });
  });

  test.each([
    ['without id', { type: 'control_request', request: allow }, ['request_id']],
    ['without body', { type: 'control_request', request_id: 'r1' }, ['request']],
    ['without subtype', { ...request, request: {} }, ['request.subtype']],
    ['of a known kind with missing members', request, ['request.tool_name', 'request.input', 'request.tool_use_id']],
  ])('%s fails at the wrong members', (_, frame, paths) => {
    expect(pathsOf(controlRequestFrame, frame)).toEqual(paths);
  });
});

describe('the answer to a control request', () => {
  const waiting = [{ ...request, request: allow }];

  test.each([
    { subtype: 'success', request_id: 'r1' },
    { subtype: 'success', request_id: 'r1', response: {}, pending_permission_requests: waiting },
    { subtype: 'error', request_id: 'r1', error: 'no', error_code: 'busy', pending_user_dialog_requests: [] },
  ])('passes: %j', (response) => {
    const frame = { type: 'control_response', response };
    expect(controlResponseFrame.safeParse(frame)).toEqual({ success: true, data: frame });
  });

  test.each([
    [undefined, ['response']],
    [{ subtype: 'success' }, ['response.request_id']],
    [{ subtype: 'maybe', request_id: 'r1' }, ['response.subtype']],
    [{ subtype: 'error', request_id: 'r1' }, ['response.error']],
    [
      { subtype: 'success', request_id: 'r1', pending_permission_requests: [{ ...request, request: {} }] },
      ['response.pending_permission_requests.0.request.subtype'],
    ],
  ])('fails at the wrong members: %j', (response, paths) => {
    expect(pathsOf(controlResponseFrame, { type: 'control_response', response })).toEqual(paths);
  });

  test('to an elicitation has an action', () => {
    expect(pathsOf(controlResponses.elicitation, { action: 'accept', content: { age: 5 } })).toEqual([]);
    expect(pathsOf(controlResponses.elicitation, {})).toEqual(['action']);
  });

  test('to a dialog may have an unknown outcome', () => {
    expect(pathsOf(controlResponses.request_user_dialog, { behavior: 'postponed' })).toEqual([]);
    expect(pathsOf(controlResponses.request_user_dialog, { behavior: 'completed' })).toEqual(['result']);
  });
});

test('a cancel has the id of its request', () => {
  expect(pathsOf(controlCancelFrame, { type: 'control_cancel_request', request_id: 'r1' })).toEqual([]);
  expect(pathsOf(controlCancelFrame, { type: 'control_cancel_request' })).toEqual(['request_id']);
});
