import * as z from 'zod/mini';
import { systemMessage } from '../agent-message.ts';
import { fastModeDisabledReason, fastModeState } from '../fast-mode.ts';
import { permissionMode } from '../permission-mode.ts';
import { openEnum, protocol } from '../open.ts';

export const apiKeySource = openEnum(
  ['ANTHROPIC_API_KEY', 'apiKeyHelper', '/login managed key', 'none', 'user', 'project', 'org', 'temporary', 'oauth'],
  { id: 'ApiKeySource', description: 'Where the credentials of the agent come from.' },
);

export const initMessage = systemMessage('init', {
  agents: z.optional(z.array(z.string())),
  apiKeySource: apiKeySource,
  betas: z.optional(z.array(z.string())),
  claude_code_version: z.string(),
  cwd: z.string(),
  tools: z.array(z.string()),
  mcp_servers: z.array(z.looseObject({ name: z.string(), status: z.string(), source: z.optional(z.string()) })),
  model: z.string(),
  permissionMode: permissionMode,
  slash_commands: z.array(z.string()),
  terminal_slash_commands: z.optional(z.array(z.string())),
  output_style: z.string(),
  skills: z.array(z.string()),
  plugins: z.array(z.looseObject({ name: z.string(), path: z.string(), version: z.optional(z.string()) })),
  plugin_errors: z.optional(
    z.array(
      z.looseObject({
        plugin: z.string(),
        type: z.string(),
        message: z.string(),
        path: z.optional(z.string()),
        managed_lock: z.optional(
          z.looseObject({ plugin_enabled: z.boolean(), name: z.string(), marketplace: z.optional(z.string()) }),
        ),
      }),
    ),
  ),
  fast_mode_state: z.optional(fastModeState),
  fast_mode_disabled_reason: z.optional(fastModeDisabledReason),
  effort: z.optional(z.nullable(openEnum(['low', 'medium', 'high', 'xhigh', 'max']))),
  view_mode: z.optional(openEnum(['focus', 'default'])),
  capabilities: z.optional(z.array(z.string())),
  // Seen, not declared.
  analytics_disabled: z.optional(z.boolean()),
  product_feedback_disabled: z.optional(z.boolean()),
  memory_paths: z.optional(z.record(z.string(), z.unknown())),
  original_cwd: z.optional(z.string()),
  additional_directories: z.optional(z.array(z.string())),
  messaging_socket_path: z.optional(z.string()),
  per_turn_effort_active: z.optional(z.boolean()),
  ultrathink_available: z.optional(z.boolean()),
  ultrathink_typed_raises: z.optional(z.boolean()),
  user_message_uuids: z.optional(z.array(z.string())),
}).register(protocol, {
  id: 'SDKSystemMessage',
  description: 'What the agent runs with. Comes at the start of every turn; the newest one counts.',
});
