import * as z from 'zod/mini';

import { systemMessage } from '../agent-message.ts';
import { fastModeDisabledReason, fastModeState } from '../fast-mode.ts';
import { permissionMode } from '../permission-mode.ts';
import { type Infer, lazy, object, openEnum, optional } from '../schema.ts';

/** Schema of `ApiKeySource`. */
export const apiKeySource = lazy(() =>
  openEnum([
    'ANTHROPIC_API_KEY',
    'apiKeyHelper',
    '/login managed key',
    'none',
    'user',
    'project',
    'org',
    'temporary',
    'oauth',
  ]),
);

/** Where the credentials of the agent come from. */
export type ApiKeySource = Infer<typeof apiKeySource>;

/** Schema of `SDKSystemMessage`. */
export const initMessage = lazy(() =>
  systemMessage('init', {
    agents: optional(z.array(z.string())),
    apiKeySource: apiKeySource(),
    betas: optional(z.array(z.string())),
    claude_code_version: z.string(),
    cwd: z.string(),
    tools: z.array(z.string()),
    mcp_servers: z.array(object({ name: z.string(), status: z.string(), source: optional(z.string()) })),
    model: z.string(),
    permissionMode: permissionMode(),
    slash_commands: z.array(z.string()),
    terminal_slash_commands: optional(z.array(z.string())),
    output_style: z.string(),
    skills: z.array(z.string()),
    plugins: z.array(object({ name: z.string(), path: z.string(), version: optional(z.string()) })),
    plugin_errors: optional(
      z.array(
        object({
          plugin: z.string(),
          type: z.string(),
          message: z.string(),
          path: optional(z.string()),
          managed_lock: optional(
            object({ plugin_enabled: z.boolean(), name: z.string(), marketplace: optional(z.string()) }),
          ),
        }),
      ),
    ),
    fast_mode_state: optional(fastModeState()),
    fast_mode_disabled_reason: optional(fastModeDisabledReason()),
    effort: optional(z.nullable(openEnum(['low', 'medium', 'high', 'xhigh', 'max']))),
    view_mode: optional(openEnum(['focus', 'default'])),
    capabilities: optional(z.array(z.string())),
    // Seen, not declared.
    analytics_disabled: optional(z.boolean()),
    product_feedback_disabled: optional(z.boolean()),
    memory_paths: optional(z.record(z.string(), z.unknown())),
    original_cwd: optional(z.string()),
    additional_directories: optional(z.array(z.string())),
    messaging_socket_path: optional(z.string()),
    per_turn_effort_active: optional(z.boolean()),
    ultrathink_available: optional(z.boolean()),
    ultrathink_typed_raises: optional(z.boolean()),
    user_message_uuids: optional(z.array(z.string())),
  }),
);

/** What the agent runs with. Comes at the start of every turn; the newest one counts. */
export type SDKSystemMessage = Infer<typeof initMessage>;
