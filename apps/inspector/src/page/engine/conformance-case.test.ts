import { expect, test } from 'vitest';
import { caseOf, type CopiedMessage } from './conformance-case.ts';

const host = (message: object): CopiedMessage => ({ dir: 'from-host', message: { ...message } });
const agent = (message: object): CopiedMessage => ({ dir: 'from-agent', message: { ...message } });
const prompt = (content: unknown) => host({ type: 'user', uuid: 'u', message: { role: 'user', content } });
const asks = (id: string, request: object) => agent({ type: 'control_request', request_id: id, request });
const answers = (id: string, rest: object) =>
  host({ type: 'control_response', response: { subtype: 'success', request_id: id, ...rest } });

test('a turn with a permission says what the host said, and expects what the agent did by its names', () => {
  const messages = [
    prompt('list the files'),
    agent({ type: 'system', subtype: 'init', session_id: 's' }),
    agent({
      type: 'assistant',
      message: {
        content: [
          { type: 'text', text: 'Well' },
          { type: 'tool_use', id: 't1', name: 'Bash', input: {} },
        ],
      },
    }),
    asks('r1', { subtype: 'can_use_tool', tool_name: 'Bash', input: { command: 'ls' }, tool_use_id: 't1' }),
    answers('r1', { response: { behavior: 'deny', message: 'no' } }),
    agent({ type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: 't1', is_error: true }] } }),
    agent({ type: 'result', subtype: 'success', is_error: false, duration_ms: 12, result: 'Done.' }),
  ];
  const initialize = { subtype: 'initialize', agents: { helper: { prompt: 'help' } }, sdkMcpServers: ['tools'] };
  expect(caseOf({ messages, initialize }).split('\n')).toEqual([
    '- id: agent/recorded/turn',
    '  title: The agent behaves as in the recorded session.',
    '  spec: [PRM-2, TRN-10]',
    '  start: {"args":["--permission-prompt-tool","stdio"],"initialize":{"agents":{"helper":{"prompt":"help"}}}}',
    '  steps:',
    '    - prompt: "list the files"',
    '    - expect: {"type":"assistant","message":{"content":{"$contains":{"type":"tool_use","name":"Bash"}}}}',
    '    - expect: {"type":"control_request","request":{"subtype":"can_use_tool","tool_name":"Bash"}}',
    '      as: request1',
    '    - answer: request1',
    '      with: {"behavior":"deny","message":"no"}',
    '    - expect: {"type":"user","message":{"content":{"$contains":{"type":"tool_result","is_error":true}}}}',
    '    - expect: {"type":"result","subtype":"success","is_error":false}',
    '',
  ]);
});

test('requests of the host are sent again, and their answers expected by their outcome', () => {
  const request = (id: string, subtype: string) =>
    host({ type: 'control_request', request_id: id, request: { subtype } });
  const messages = [
    request('a', 'interrupt'),
    agent({ type: 'control_response', response: { subtype: 'success', request_id: 'a', response: {} } }),
    request('b', 'no_such'),
    agent({ type: 'control_response', response: { subtype: 'error', request_id: 'b', error: 'unsupported' } }),
  ];
  expect(caseOf({ messages, initialize: undefined }).split('\n').slice(2)).toEqual([
    '  spec: [INT-1, CTL-3]',
    '  start: {}',
    '  steps:',
    '    - request: {"subtype":"interrupt"}',
    '      as: request1',
    '    - expect-answer: request1',
    '    - request: {"subtype":"no_such"}',
    '      as: request2',
    '    - expect-answer: request2',
    '      error: {"$type":"string"}',
    '',
  ]);
});

test('texts that look like templates are sent as they stand, and messages of MCP servers are left out', () => {
  const messages = [
    prompt('echo ${HOME}'),
    asks('m', { subtype: 'mcp_message', server_name: 'tools', message: {} }),
    answers('m', { response: { mcp_response: {} } }),
    asks('r', { subtype: 'can_use_tool', tool_name: '${uuid}' }),
    answers('r', { response: { behavior: 'allow', updatedInput: { $repeat: 'x' } } }),
    asks('h', { subtype: 'hook_callback', callback_id: 'c', input: { hook_event_name: 'Stop' } }),
    host({ type: 'control_response', response: { subtype: 'error', request_id: 'h', error: 'no ${HOME}' } }),
    // The host answers a request that these steps do not contain.
    answers('another', { response: {} }),
  ];
  const steps = caseOf({ messages, initialize: undefined }).split('\n').slice(5, -1);
  expect(steps).toEqual([
    '    - prompt: {"$template":"off","value":"echo ${HOME}"}',
    '    - expect: {"type":"control_request","request":{"subtype":"can_use_tool","tool_name":{"$any":true}}}',
    '      as: request1',
    '    - answer: request1',
    '      with: {"$template":"off","value":{"behavior":"allow","updatedInput":{"$repeat":"x"}}}',
    '    - expect: {"type":"control_request","request":{"subtype":"hook_callback","input":{"hook_event_name":"Stop"}}}',
    '      as: request2',
    '    - answer: request2',
    '      error: "no $ {HOME}"',
  ]);
});

test('a request of the host and a request of the agent may have the same id', () => {
  const messages = [
    host({ type: 'control_request', request_id: 'r1', request: { subtype: 'interrupt' } }),
    asks('r1', { subtype: 'can_use_tool', tool_name: 'Bash', input: {} }),
    agent({ type: 'control_response', response: { subtype: 'success', request_id: 'r1', response: {} } }),
    answers('r1', { response: { behavior: 'allow' } }),
    asks('r1', { subtype: 'mcp_message', server_name: 'a', message: {} }),
    host({ type: 'control_cancel_request', request_id: 'r1' }),
  ];
  const steps = caseOf({ messages, initialize: undefined }).split('\n').slice(5);
  expect(steps).toEqual([
    '    - request: {"subtype":"interrupt"}',
    '      as: request1',
    '    - expect: {"type":"control_request","request":{"subtype":"can_use_tool","tool_name":"Bash"}}',
    '      as: request2',
    '    - expect-answer: request1',
    '    - answer: request2',
    '      with: {"behavior":"allow"}',
    '    - cancel: request1',
    '',
  ]);
});
