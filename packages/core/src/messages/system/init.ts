import { systemMessage } from '../agent-message.ts';
import { fastModeDisabledReason, fastModeState } from '../fast-mode.ts';
import { permissionMode } from '../permission-mode.ts';
import { object, optional } from '../object-schema.ts';
import { array, boolean, type Infer, lazy, nullable, openEnum, record, string, unknown } from '../schema.ts';

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
    agents: optional(array(string)),
    apiKeySource: apiKeySource,
    betas: optional(array(string)),
    claude_code_version: string,
    cwd: string,
    tools: array(string),
    mcp_servers: array(object({ name: string, status: string, source: optional(string) })),
    model: string,
    permissionMode: permissionMode,
    slash_commands: array(string),
    terminal_slash_commands: optional(array(string)),
    output_style: string,
    skills: array(string),
    plugins: array(object({ name: string, path: string, version: optional(string) })),
    plugin_errors: optional(
      array(
        object({
          plugin: string,
          type: string,
          message: string,
          path: optional(string),
          managed_lock: optional(object({ plugin_enabled: boolean, name: string, marketplace: optional(string) })),
        }),
      ),
    ),
    fast_mode_state: optional(fastModeState),
    fast_mode_disabled_reason: optional(fastModeDisabledReason),
    effort: optional(nullable(openEnum(['low', 'medium', 'high', 'xhigh', 'max']))),
    view_mode: optional(openEnum(['focus', 'default'])),
    capabilities: optional(array(string)),
    // Seen, not declared.
    analytics_disabled: optional(boolean),
    product_feedback_disabled: optional(boolean),
    memory_paths: optional(record(unknown)),
    original_cwd: optional(string),
    additional_directories: optional(array(string)),
    messaging_socket_path: optional(string),
    per_turn_effort_active: optional(boolean),
    ultrathink_available: optional(boolean),
    ultrathink_typed_raises: optional(boolean),
    user_message_uuids: optional(array(string)),
  }),
);

/** What the agent runs with. Comes at the start of every turn; the newest one counts. */
export type SDKSystemMessage = Infer<typeof initMessage>;
