import { verifies } from '@proto/test-support/verifies';
import { expect, test } from 'vitest';
import { agentPeer, assistant, toolResult, toolUse, user } from '../agent-peer.test-support.ts';

test('a host can show the status of a session to a person', async () => {
  const { session } = agentPeer({
    initMessage: () => ({ cwd: '/work', claude_code_version: '1.2.3' }),
    models: { initial: 'big' },
  });
  await session.request({ subtype: 'set_permission_mode', mode: 'plan' });
  await expect(session.request({ subtype: 'get_status' })).resolves.toEqual({
    sections: [
      {
        title: 'Session',
        rows: [
          { label: 'Version', value: '1.2.3' },
          { label: 'Session ID', value: 'session-1' },
          { label: 'cwd', value: '/work' },
        ],
      },
      {
        title: 'Environment',
        rows: [
          { label: 'Model', value: 'big' },
          { label: 'Permission mode', value: 'plan' },
        ],
      },
    ],
  });
});

test('a host can export the conversation as a text', async () => {
  const history = [
    user('Which files\nare there?', { uuid: 'a' }),
    toolUse('Bash', 'call-1', { command: 'ls' }),
    toolResult('call-1', 'secret.txt'),
    assistant('One.'),
  ];
  const { session } = agentPeer({ session: { history } });
  await expect(session.request({ subtype: 'export_conversation' })).resolves.toEqual({
    text: '> Which files\n> are there?\n\n[Bash {"command":"ls"}]\n\nOne.\n\n',
    default_filename: 'conversation-session-1.txt',
  });
});

verifies('AGENT-22', 'a host gets an answer or a refusal with a reason for what only some agents have', async () => {
  const { session } = agentPeer({}, { mcp_message: () => ({}) });
  const ask = (subtype: string, members: object = {}) => session.request({ subtype, ...members });
  await expect(ask('get_plan')).resolves.toEqual({ exists: false });
  await expect(ask('get_hooks_listing')).resolves.toMatchObject({
    events: [],
    hooks: [],
    policy: { managedOnly: false },
  });
  await expect(ask('set_prompt_suggestions_paused', { paused: true })).resolves.toEqual({});
  await expect(ask('remote_control', { enabled: false })).resolves.toEqual({});
  await expect(ask('submit_feedback', { description: 'good' })).resolves.toMatchObject({
    feedback_id: null,
    unavailable_reason: expect.stringContaining('feedback'),
  });
  await expect(ask('remote_control', { enabled: true })).rejects.toMatchObject({ code: 'unsupported_request' });
  await ask('mcp_set_servers', { servers: { lab: { type: 'sdk', name: 'lab' } } });
  for (const subtype of ['mcp_authenticate', 'mcp_clear_auth', 'mcp_oauth_callback_url']) {
    await expect(ask(subtype, { serverName: 'missing' })).rejects.toThrow('Server not found: missing');
    await expect(ask(subtype, { serverName: 'lab' })).rejects.toMatchObject({
      code: 'unsupported_request',
      message: expect.stringContaining('lab is an MCP server of the host'),
    });
  }
});

verifies('AGENT-22', 'a host limits the tools of an MCP server only if the agent can keep the limit', async () => {
  const limits: unknown[] = [];
  const override = { subtype: 'set_mcp_permission_mode_override', serverName: 'lab' };
  await expect(agentPeer().session.request({ ...override, mode: 'default' })).rejects.toMatchObject({
    code: 'unsupported_request',
  });
  const { session } = agentPeer({
    mcp: { onPermissionModeChange: (...limit) => void limits.push(limit), status: () => [{ name: 'known' }] },
  });
  await expect(session.request({ ...override, mode: 'default' })).resolves.toMatchObject({
    warning: expect.stringContaining('The MCP server lab is not known'),
  });
  await expect(session.request({ ...override, serverName: 'known', mode: 'auto' })).resolves.toEqual({});
  await expect(session.request({ ...override, mode: null })).resolves.toEqual({});
  await expect(session.request({ ...override, mode: 'bypassPermissions' })).rejects.toMatchObject({
    code: 'invalid_mode',
  });
  expect(limits).toEqual([
    ['lab', 'default'],
    ['known', 'auto'],
    ['lab', null],
  ]);
});
