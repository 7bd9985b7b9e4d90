import * as z from 'zod/mini';
import { systemMessage } from '../message-members.ts';
import { openEnum, openObject, protocol } from '../open.ts';
import { permissionMode } from '../permissions.ts';

export const fastModeState = openEnum(['off', 'cooldown', 'on'], { id: 'FastModeState', description: 'Whether fast mode serves.' });

export const fastModeDisabledReason = openEnum(
  [
    'free',
    'preference',
    'extra_usage_disabled',
    'network_error',
    'unknown',
    'not_first_party',
    'disabled_by_env',
    'model_not_allowed',
    'sdk_opt_in_required',
    'pending',
  ],
  { id: 'FastModeDisabledReason', description: 'Why fast mode cannot serve.' },
);

export const slashCommand = openObject({
  name: z.string().check(z.describe('The name without the slash that it is typed with.')),
  description: z.string(),
  argumentHint: z.string().check(z.describe('What may follow the name, as a hint to show; may be empty.')),
  aliases: z.optional(z.array(z.string())).check(z.describe('Further names of the same command.')),
  builtin: z.optional(z.boolean()).check(z.describe('True for a command that comes with the agent.')),
}).register(protocol, { id: 'SlashCommand', description: 'A slash command that can be typed in a prompt.' });

export const apiKeySource = openEnum(['ANTHROPIC_API_KEY', 'apiKeyHelper', '/login managed key', 'none', 'user', 'project', 'org', 'temporary', 'oauth'], {
  id: 'ApiKeySource',
  description: 'Where the credentials of the agent come from.',
});

const mcpServer = openObject({
  name: z.string(),
  status: z.string().check(z.describe('The state of the connection, such as `connected` or `failed`.')),
  source: z.optional(z.string()).check(z.describe('How the agent came by the server, such as `sdk` for one within the host.')),
});
const plugin = openObject({
  name: z.string(),
  path: z.string().check(z.describe('The folder of the plugin; `builtin` for one that comes with the agent.')),
  version: z.optional(z.string()),
  source: z.optional(z.string()),
});
const pluginError = openObject({
  plugin: z.string(),
  type: z.string(),
  message: z.string(),
  path: z.optional(z.string()),
  managed_lock: z.optional(openObject({ plugin_enabled: z.boolean(), name: z.string(), marketplace: z.optional(z.string()) })),
});

export const initMessage = systemMessage('init', {
  agents: z.optional(z.array(z.string())).check(z.describe('The kinds of subagents that there are, by name.')),
  apiKeySource: apiKeySource,
  betas: z.optional(z.array(z.string())).check(z.describe('The beta headers that go with requests to the model API.')),
  claude_code_version: z.string().check(z.describe('The version of the agent.')),
  cwd: z.string().check(z.describe('The working directory.')),
  tools: z.array(z.string()).check(z.describe('The names of all tools: MCP tools as `mcp__SERVER__TOOL`, the one that starts subagents as `Task`.')),
  mcp_servers: z.array(mcpServer),
  model: z.string().check(z.describe('The full name of the model in use, also where the host chose it by an alias.')),
  permissionMode: permissionMode,
  slash_commands: z.array(z.string()).check(z.describe('The names of all slash commands, without the slash.')),
  terminal_slash_commands: z.optional(z.array(z.string())).check(z.describe('Those slash commands that are meant for a terminal.')),
  output_style: z.string(),
  skills: z.array(z.string()),
  plugins: z.array(plugin),
  plugin_errors: z.optional(z.array(pluginError)).check(z.describe('What went wrong as plugins were loaded; absent where nothing did.')),
  fast_mode_state: z.optional(fastModeState),
  fast_mode_disabled_reason: z.optional(fastModeDisabledReason).check(z.describe('Absent where nothing keeps fast mode from serving.')),
  effort: z
    .optional(z.nullable(openEnum(['low', 'medium', 'high', 'xhigh', 'max'])))
    .check(z.describe('The effort that is asked of the model for the next message, null where none is; only in remote sessions.')),
  view_mode: z.optional(openEnum(['focus', 'default'])),
  capabilities: z
    .optional(z.array(z.string()))
    .check(z.describe('Names of what this agent can do, such as `interrupt_receipt_v1`; go by them and not by its version.')),
  // Seen, not declared.
  analytics_disabled: z.optional(z.boolean()),
  product_feedback_disabled: z.optional(z.boolean()),
  memory_paths: z.optional(z.record(z.string(), z.unknown())).check(z.describe('The folders in which the agent keeps its memory, by kind.')),
  original_cwd: z.optional(z.string()),
  additional_directories: z.optional(z.array(z.string())),
  messaging_socket_path: z.optional(z.string()),
  per_turn_effort_active: z.optional(z.boolean()),
  served_by_anthropic: z.optional(z.boolean()),
  ultrathink_available: z.optional(z.boolean()),
  ultrathink_typed_raises: z.optional(z.boolean()),
  user_message_uuids: z.optional(z.array(z.string())).check(z.describe('The `uuid`s of the prompts that the turn answers.')),
}).register(protocol, { id: 'SDKSystemMessage', description: 'What the agent runs with. Comes at the start of every turn; the newest one counts.' });

export const pluginInstallMessage = systemMessage('plugin_install', {
  status: openEnum(['started', 'installed', 'failed', 'completed']),
  name: z.optional(z.string()).check(z.describe('The marketplace that the message is about.')),
  error: z.optional(z.string()).check(z.describe('A text from outside, not to be trusted.')),
}).register(protocol, { id: 'SDKPluginInstallMessage', description: 'Plugins are being installed.' });

export const commandsChangedMessage = systemMessage('commands_changed', { commands: z.array(slashCommand) }).register(protocol, {
  id: 'SDKCommandsChangedMessage',
  description: 'All slash commands there are now: replaces what was known.',
});
