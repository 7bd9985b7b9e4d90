import { expect, test } from 'vitest';

import { wrongDecisions } from './decision-rules.ts';
import type { HostAnswer, HostRunOptions } from '../host-program.ts';
import type { HostSession, RecordedLine } from '../host-session.ts';
import { wrongOptions } from './option-rules.ts';
import { brokenRules, type RuleContext } from './session-rules.ts';

type Members = Readonly<Record<string, unknown>>;

const of = (by: 'agent' | 'host', message: Members): RecordedLine => ({ by, at: 0, message });
const happens = (event: string, detail?: unknown): RecordedLine => ({ by: 'host', at: 0, event, detail });
const request = (by: 'agent' | 'host', id: string, members: Members) =>
  of(by, { type: 'control_request', request_id: id, request: members });
const answers = (id: string, response: Members) =>
  of('host', { type: 'control_response', response: { ...response, request_id: id } });
const initialize = (members: Members) => request('host', 'r1', { subtype: 'initialize', ...members });
const begins = of('agent', { type: 'system', subtype: 'init' });
const result = of('agent', { type: 'result' });

const rules = (
  record: readonly RecordedLine[],
  options: HostRunOptions = {},
  more: { readonly methods?: readonly string[]; readonly isOpen?: boolean } = {},
) => wrongOptions(record, { options, methods: [], prompts: ['a'], isOpen: false, ...more }).map(({ spec }) => spec);

test('each hook of the user is registered, under a different id', () => {
  const hooks = [{ event: 'Stop' }, { event: 'PreToolUse', matcher: 'Bash' }, { event: 'PreToolUse', matcher: 'Bash' }];
  const stop = { Stop: [{ matcher: null, hookCallbackIds: ['a'] }] };
  const both = { ...stop, PreToolUse: [{ matcher: 'Bash', hookCallbackIds: ['b', 'c'] }] };
  expect(rules([initialize({ hooks: both })], { hooks })).toEqual([]);
  expect(rules([initialize({ hooks: stop })], { hooks })).toEqual(['HOK-38']);
  const alike = { ...stop, PreToolUse: [{ matcher: 'Bash', hookCallbackIds: ['b', 'b'] }] };
  expect(rules([initialize({ hooks: alike })], { hooks })).toEqual(['HOK-33']);
  const other = { ...stop, PreToolUse: [{ hookCallbackIds: ['b', 'c'] }] };
  expect(rules([initialize({ hooks: other })], { hooks })).toEqual(['HOK-38']);
});

test('each server of the user is named, in initialize or on the command line', () => {
  const servers = ['lab', 'yard'];
  expect(rules([initialize({ sdkMcpServers: servers }), begins], { servers })).toEqual([]);
  expect(rules([initialize({ sdkMcpServers: ['lab'] }), begins], { servers })).toEqual(['MCP-34']);
  const argv = ['--mcp-config', '{"mcpServers":{"lab":{"type":"sdk"},"yard":{"type":"sdk"}}}'];
  expect(rules([happens('start', { argv }), begins], { servers })).toEqual([]);
});

test('the agent is interrupted as often as the user asks, and keeps its prompts', () => {
  const interrupt = request('host', 'i1', { subtype: 'interrupt' });
  expect(rules([interrupt], {}, { methods: ['interrupt'] })).toEqual([]);
  expect(rules([interrupt, interrupt], {}, { methods: ['interrupt'] })).toEqual(['INT-34']);
  expect(rules([interrupt], {}, { methods: ['close'] })).toEqual([]);
  const clears = request('host', 'i1', { subtype: 'interrupt', cancel_queued: true });
  expect(rules([clears], {}, { methods: ['interrupt'] })).toEqual(['INT-34']);
});

test('the input of a host with callbacks ends after its last result', () => {
  const options = { permissions: true };
  expect(rules([result, happens('end-of-input')], options)).toEqual([]);
  expect(rules([happens('end-of-input'), result], options)).toEqual(['CLI-27']);
  expect(rules([happens('end-of-input'), result])).toEqual([]);
  expect(rules([happens('end-of-input'), result], options, { isOpen: true })).toEqual([]);
});

test('the user is asked before a refusal, and notified of a withdrawal', () => {
  const asked = request('agent', 'q', { subtype: 'can_use_tool', tool_name: 'Bash', input: {}, tool_use_id: 't1' });
  const refused = answers('q', { subtype: 'error', error: 'no' });
  const side = { events: [], answers: new Map<unknown, HostAnswer>() };
  const specs = (record: readonly RecordedLine[], more: object = {}) =>
    wrongDecisions(record, { ...side, ...more }).map(({ spec }) => spec);
  expect(specs([asked, refused])).toEqual([]);
  expect(specs([asked, refused], { brings: { permissions: true } })).toEqual(['PRM-40']);
  expect(specs([happens('end-of-input'), asked, refused], { brings: { permissions: true } })).toEqual([]);
  const cancelled = [asked, of('agent', { type: 'control_cancel_request', request_id: 'q' })];
  const events = [{ type: 'question', id: '1', kind: 'permission', request: { tool_use_id: 't1' } }];
  expect(specs(cancelled, { events, withdraws: true })).toEqual(['CTL-45']);
  expect(specs(cancelled, { events })).toEqual([]);
  expect(specs(cancelled, { events: [...events, { type: 'withdrawn', id: '1' }], withdraws: true })).toEqual([]);
});

function specsOf(record: readonly RecordedLine[], more: Partial<RuleContext>): readonly string[] {
  return brokenRules({ record, brokenLines: [] } as unknown as HostSession, {
    dialogs: new Set(),
    isComplete: true,
    events: undefined,
    user: undefined,
    decides: false,
    prompts: [],
    options: {},
    methods: [],
    calls: [],
    isCutOff: false,
    isOpen: true,
    ...more,
  }).map(({ spec }) => spec);
}

test('a host that ends the input before its last result cannot answer what is open (CTL-3)', () => {
  const probe = request('agent', 'p', { subtype: 'conformance_probe' });
  const specs = (prompts: readonly string[], isOpen: boolean, ...parts: readonly RecordedLine[]) =>
    specsOf([...parts, happens('end-of-input')], { isOpen, prompts }).filter((spec) => spec === 'CTL-3');
  expect(specs(['a', 'b'], false, result, probe)).toEqual([]);
  expect(specs(['a', 'b'], false, probe, result)).toEqual([]);
  expect(specs(['a', 'b'], true, result, probe)).toEqual(['CTL-3']);
  expect(specs(['a'], false, probe, result)).toEqual(['CTL-3']);
});

test('a character of a prompt is not replaced', () => {
  const says = (content: string) => [
    of('host', { type: 'user', message: { role: 'user', content }, parent_tool_use_id: null, session_id: '' }),
  ];
  expect(specsOf(says('a\uFFFDb'), { prompts: ['a\u{1F600}b'] })).toContain('FRM-2');
  expect(specsOf(says('a\uFFFDb'), { prompts: ['a\uFFFDb'] })).toEqual([]);
});

test('notifications for servers of the user are answered without an error, and unknown servers have no result', () => {
  const asks = (message: Members) => request('agent', 'm', { subtype: 'mcp_message', server_name: 'lab', message });
  const specs = (record: readonly RecordedLine[], servers: readonly string[]) =>
    specsOf(record, { options: { servers } });
  const note = asks({ jsonrpc: '2.0', method: 'notifications/initialized' });
  const list = asks({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  const listed = answers('m', {
    subtype: 'success',
    response: { mcp_response: { jsonrpc: '2.0', id: 1, result: { tools: [] } } },
  });
  expect(specs([note], ['lab'])).toEqual(['MCP-9', 'CTL-3']);
  expect(specs([note, answers('m', { subtype: 'error', error: 'no' })], ['lab'])).toEqual(['MCP-38']);
  expect(specs([note, answers('m', { subtype: 'error', error: 'no' })], [])).toEqual([]);
  expect(specs([list, listed], ['lab'])).toEqual([]);
  expect(specs([list, listed], [])).toEqual(['MCP-10']);
});
