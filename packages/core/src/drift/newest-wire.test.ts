import { expect, test } from 'vitest';
import { createDriftReport } from './drift-report.ts';

/** What agents send, and published declarations do not have or have only since a short time. */

const ids = { uuid: '5d0a3a8e-7d0f-4b0e-8a39-0c7d0d0f7a21', session_id: '1f0e1c4a-5b1d-4a53-9f0c-6f1f2a7c9b10' };
const init = {
  type: 'system',
  subtype: 'init',
  ...ids,
  apiKeySource: 'none',
  claude_code_version: '2.1.332',
  cwd: '/',
  tools: [],
  mcp_servers: [],
  model: 'm',
  permissionMode: 'default',
  slash_commands: [],
  output_style: 'default',
  skills: [],
  plugins: [],
};
const initialized = {
  commands: [],
  agents: [],
  output_style: 'default',
  available_output_styles: [],
  models: [],
  account: {},
};
const user = (members: object) => ({
  type: 'user',
  message: { role: 'user', content: 'hi' },
  parent_tool_use_id: null,
  ...ids,
  ...members,
});
const request = (body: object) => ({ type: 'control_request', request_id: '1', request: body });
const answered = (response: object) => ({
  type: 'control_response',
  response: { subtype: 'success', request_id: '1', response },
});
const hook = { session_id: 's', transcript_path: 't', cwd: 'c', hook_event_name: 'PreSkillShellCommand' };
const command = {
  tool_name: 'Bash',
  tool_input: { command: 'ls' },
  tool_use_id: 't1',
  command_name: 'review',
  command_source: 'user',
  invoked_by: 'user',
};
const decision = {
  hookEventName: 'PreSkillShellCommand',
  permissionDecision: 'deny',
  permissionDecisionReason: 'no',
  updatedInput: {},
};

test.each<[string, readonly object[]]>([
  ['the sandbox in the start of a turn', [{ ...init, sandbox_enabled: true }]],
  ['an unknown sandbox in the start of a turn', [{ ...init, sandbox_enabled: 'unknown' }]],
  [
    'the sandbox in the answer to initialize',
    [request({ subtype: 'initialize' }), answered({ ...initialized, sandbox_enabled: false })],
  ],
  [
    'the shell command of a skill',
    [
      request({ subtype: 'hook_callback', callback_id: 'h', input: { ...hook, ...command } }),
      answered({ hookSpecificOutput: decision }),
    ],
  ],
  [
    'the mode that a session has',
    [request({ subtype: 'set_permission_mode', mode: 'plan' }), answered({ mode: 'default' })],
  ],
  [
    'an error of a tool',
    [
      request({ subtype: 'mcp_call', tool: 'mcp__a__b', soft_error_result: true }),
      answered({ content: [], isError: true }),
    ],
  ],
  [
    'the path of a file as it was asked for',
    [request({ subtype: 'read_file', path: 'a' }), answered({ contents: '', absPath: '/a', requested_path: 'a' })],
  ],
  [
    'the model that stays',
    [
      request({ subtype: 'set_model', model: 'x' }),
      { type: 'control_response', response: { subtype: 'error', request_id: '1', error: 'no', model: 'm' } },
    ],
  ],
  ...['interrupted', 'cancelled', 'automode-blocked', 'automode-unavailable', 'automode-parsing-error'].map(
    (non_execution_kind): [string, object[]] => [
      `a call that was ${non_execution_kind}`,
      [user({ tool_result_meta: [{ id: 't1', non_execution_kind }] })],
    ],
  ),
  ['a message that is not an echo', [user({ isReplay: false })]],
  [
    'a start without the flags of the user',
    [
      {
        type: 'result',
        subtype: 'error_during_execution',
        ...ids,
        duration_ms: 0,
        duration_api_ms: 0,
        num_turns: 0,
        total_cost_usd: 0,
        usage: { input_tokens: 0, output_tokens: 0 },
        modelUsage: {},
        permission_denials: [],
        is_error: true,
        stop_reason: null,
        errors: [],
        startup_failure_reason: 'sideload_flags_disabled',
      },
    ],
  ],
])('%s is known', (_, lines) => {
  const report = createDriftReport({ direction: 'auto', mode: 'strict' });
  expect(lines.flatMap((line) => report.read(JSON.stringify(line)))).toEqual([]);
  expect(report.drift).toEqual([]);
});
