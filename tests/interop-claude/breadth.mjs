import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ControlError } from '@proto/core';
import { HOOK_EVENTS } from '@proto/core/messages';
import { resultOf } from './messages.mjs';

const UUID = '5d0a3a8e-7d0f-4b0e-8a39-0c7d0d0f7a21';

/** Requests that need no network and change nothing outside the folder of the lab. Some are refused. */
const ASKED = [
  ['read_file', { path: 'note.txt' }],
  ['read_file', { path: 'note.txt', encoding: 'base64', max_bytes: 2 }],
  ['read_file', { path: 'missing.txt' }],
  ['seed_read_state', { path: 'note.txt', mtime: 1 }],
  ['file_suggestions', { query: 'no' }],
  ['rewind_files', { user_message_id: UUID, dry_run: true }],
  ['register_repo_root', { directory: '/nowhere/at/all' }],
  ['set_model', { model: 'no-such-model' }],
  ['set_max_thinking_tokens', { max_thinking_tokens: 1024 }],
  ['set_color', { color: 'blue' }],
  ['rename_session', { title: 'A title' }],
  ['cancel_async_message', { message_uuid: UUID }],
  ['stop_task', { task_id: 'none' }],
  ['get_task_output', { task_id: 'none' }],
  ['background_tasks', {}],
  ['apply_flag_settings', { settings: {} }],
  ['mcp_set_servers', { servers: { gone: { command: '/nowhere/at/all' } } }],
  ['mcp_toggle', { serverName: 'gone', enabled: false }],
  ['mcp_call', { tool: 'mcp__gone__tool', soft_error_result: true }],
];
const WITHOUT_MEMBERS =
  `list_models list_permission_rules get_hooks_listing get_settings get_context_usage get_usage get_session_cost
  get_binary_version get_status get_plan export_conversation mcp_status reload_skills reload_plugins reload_output_styles get_memory_dialog
  get_skills_dialog`.split(/\s+/);

/** Scenarios that make the agent send much of what it can send, for the schemas to check. Each scenario gets its lab. */
export const BREADTH = {
  async 'answers to many requests'({ script, host, all }) {
    script('one');
    const session = host();
    await session.prompt('first').accepted;
    await all(session.untilResult());
    for (const [subtype, members] of [...ASKED, ...WITHOUT_MEMBERS.map((subtype) => [subtype, {}])]) {
      const answer = await session.request(subtype, members).catch((error) => error);
      if (answer instanceof Error) assert.ok(ControlError.is(answer), answer);
    }
    await session.close();
  },

  async 'hooks of every event, and a command of a skill'({ script, query, all, folder }) {
    const commands = join(folder, 'config/commands');
    mkdirSync(commands, { recursive: true });
    const head = '---\nallowed-tools: Bash(echo:*)\n---\n';
    writeFileSync(join(commands, 'check.md'), `${head}The place is !\`echo here\`.\n`);
    const read = { content: [{ type: 'tool_use', name: 'Read', input: { file_path: join(folder, 'note.txt') } }] };
    const missing = { content: [{ type: 'tool_use', name: 'Read', input: { file_path: join(folder, 'gone.txt') } }] };
    script(read, missing, 'Done.');
    const events = new Set();
    const note = ({ hook_event_name: event }) => void events.add(event);
    const hooks = Object.fromEntries(HOOK_EVENTS.map((event) => [event, [{ hooks: [note] }]]));
    // A hook of this event has to create the folder itself.
    delete hooks.WorktreeCreate;
    const messages = await all(query({ prompt: '/check', hooks, canUseTool: () => ({ behavior: 'allow' }) }));
    assert.equal(resultOf(messages).result, 'Done.');
    for (const event of ['PreSkillShellCommand', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'Stop'])
      assert.ok(events.has(event), `${event} is not among ${[...events].join()}`);
  },
};
