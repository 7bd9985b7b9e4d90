import * as z from 'zod/mini';
import { systemMessage } from '../message-members.ts';
import { openEnum, openObject, protocol } from '../open.ts';
import { permissionMode } from '../permissions.ts';

export const fastModeState = openEnum(['off', 'cooldown', 'on'], { id: 'FastModeState', description: 'The state of fast mode.' });

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
  { id: 'FastModeDisabledReason', description: 'Why fast mode is not available.' },
);

export const slashCommand = openObject({
  name: z.string().check(z.describe('The name of the command, without the leading slash.')),
  description: z.string(),
  argumentHint: z.string().check(z.describe('A hint about the arguments of the command, for display. May be empty.')),
  aliases: z.optional(z.array(z.string())).check(z.describe('Other names of the command.')),
  builtin: z.optional(z.boolean()).check(z.describe('True if the command is part of the agent.')),
}).register(protocol, { id: 'SlashCommand', description: 'A slash command that can be typed in a prompt.' });

export const apiKeySource = openEnum(['ANTHROPIC_API_KEY', 'apiKeyHelper', '/login managed key', 'none', 'user', 'project', 'org', 'temporary', 'oauth'], {
  id: 'ApiKeySource',
  description: "Where the agent's credentials come from.",
});

const mcpServer = openObject({
  name: z.string(),
  status: z.string().check(z.describe('The state of the connection, such as `connected` or `failed`.')),
  source: z.optional(z.string()).check(z.describe('Where the server comes from, such as `sdk` for a server inside the host program.')),
});
const plugin = openObject({
  name: z.string(),
  path: z.string().check(z.describe('The folder of the plugin. `builtin` for a plugin that is part of the agent.')),
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
  agents: z.optional(z.array(z.string())).check(z.describe('The names of the available kinds of subagents.')),
  apiKeySource: apiKeySource,
  betas: z.optional(z.array(z.string())).check(z.describe('The beta headers that the agent sends with requests to the model API.')),
  claude_code_version: z.string().check(z.describe('The version of the agent.')),
  cwd: z.string().check(z.describe('The working directory.')),
  tools: z
    .array(z.string())
    .check(z.describe('The names of all tools. MCP tools are named `mcp__SERVER__TOOL`. The tool that starts subagents is named `Task`.')),
  mcp_servers: z.array(mcpServer),
  model: z.string().check(z.describe('The full name of the model in use, even if the host chose the model by an alias.')),
  permissionMode: permissionMode,
  slash_commands: z.array(z.string()).check(z.describe('The names of all slash commands, without the slash.')),
  terminal_slash_commands: z.optional(z.array(z.string())).check(z.describe('The names of the slash commands that are meant for a terminal.')),
  output_style: z.string(),
  skills: z.array(z.string()),
  plugins: z.array(plugin),
  plugin_errors: z.optional(z.array(pluginError)).check(z.describe('The errors from loading plugins. Absent if no error occurred.')),
  fast_mode_state: z.optional(fastModeState),
  fast_mode_disabled_reason: z.optional(fastModeDisabledReason).check(z.describe('Why fast mode is not available. Absent if nothing prevents it.')),
  effort: z
    .optional(z.nullable(openEnum(['low', 'medium', 'high', 'xhigh', 'max'])))
    .check(z.describe('The effort level for the next message. `null` if the agent does not request a level. Present only in remote sessions.')),
  view_mode: z.optional(openEnum(['focus', 'default'])),
  capabilities: z
    .optional(z.array(z.string()))
    .check(
      z.describe('The names of features that this agent supports, such as `interrupt_receipt_v1`. Check for these names, not for the version of the agent.'),
    ),
  // Seen on the wire, not declared by the published SDK.
  analytics_disabled: z.optional(z.boolean()),
  product_feedback_disabled: z.optional(z.boolean()),
  memory_paths: z.optional(z.record(z.string(), z.unknown())).check(z.describe('The folders in which the agent stores its memory, by kind.')),
  original_cwd: z.optional(z.string()),
  additional_directories: z.optional(z.array(z.string())),
  messaging_socket_path: z.optional(z.string()),
  per_turn_effort_active: z.optional(z.boolean()),
  sandbox_enabled: z
    .optional(z.union([z.boolean(), z.literal('unknown')]))
    .check(z.describe('Whether the agent runs shell commands in its sandbox. `unknown` if the agent does not know.')),
  served_by_anthropic: z.optional(z.boolean()),
  ultrathink_available: z.optional(z.boolean()),
  ultrathink_typed_raises: z.optional(z.boolean()),
  user_message_uuids: z.optional(z.array(z.string())).check(z.describe('The `uuid`s of the prompts that the turn answers.')),
}).register(protocol, {
  id: 'SDKSystemMessage',
  description: 'The configuration of the agent: its model, tools, servers and modes. Sent at the start of every turn; the latest message applies.',
});

export const pluginInstallMessage = systemMessage('plugin_install', {
  status: openEnum(['started', 'installed', 'failed', 'completed']),
  name: z.optional(z.string()).check(z.describe('The name of the marketplace that the message refers to.')),
  error: z.optional(z.string()).check(z.describe('The text of the error. Do not trust this text, because it comes from outside the agent.')),
}).register(protocol, { id: 'SDKPluginInstallMessage', description: 'Plugins are being installed.' });

export const commandsChangedMessage = systemMessage('commands_changed', { commands: z.array(slashCommand) }).register(protocol, {
  id: 'SDKCommandsChangedMessage',
  description: 'The slash commands have changed. `commands` is the complete new list.',
});
