import { fastModeDisabledReason, fastModeState } from '../fast-mode.ts';
import type { HookEvent } from '../hooks/base.ts';
import { mcpServerConfigForProcessTransport, mcpServerToolPolicy } from '../mcp-servers.ts';
import { permissionMode } from '../permission-mode.ts';
import { object, optional } from '../object-schema.ts';
import {
  array,
  boolean,
  type Infer,
  lazy,
  type LazySchema,
  literal,
  nullable,
  number,
  openEnum,
  record,
  type SchemaOf,
  string,
  unknown,
} from '../schema.ts';
import { slashCommand } from '../slash-command.ts';
import { accountInfo, agentDefinition, agentInfo, modelInfo, pluginConfig } from './capabilities.ts';

/** Schema of `SDKHookCallbackMatcher`. */
export const hookCallbackMatcher = lazy(() =>
  object({
    matcher: optional(nullable(string)),
    hookCallbackIds: array(string),
    timeout: optional(number),
    onFailure: optional(openEnum(['continue', 'block'])),
  }),
);

/** Callbacks for one event. Hosts leave `matcher` out, or write an empty one, or `null`. */
export type SDKHookCallbackMatcher = Infer<typeof hookCallbackMatcher>;

const hookMatchers = record(array(hookCallbackMatcher)) as unknown as LazySchema<
  SchemaOf<Partial<Record<HookEvent, SDKHookCallbackMatcher[]>>>
>;

/** The request that opens a session. */
export const initializeRequests = {
  initialize: lazy(() =>
    object({
      subtype: literal('initialize'),
      hooks: optional(nullable(hookMatchers)),
      sdkMcpServers: optional(array(string)),
      sdkMcpServerConfigs: optional(
        record(object({ timeout: optional(number), tools: optional(array(mcpServerToolPolicy)) })),
      ),
      sdkMcpServerManifests: optional(
        record(
          object({
            initializeResult: record(unknown),
            toolsListResult: optional(record(unknown)),
          }),
        ),
      ),
      sdkMcpServerManifestsOrigin: optional(openEnum(['host_per_send'])),
      jsonSchema: optional(record(unknown)),
      systemPrompt: optional(array(string)),
      appendSystemPrompt: optional(string),
      systemPromptSnapshot: optional(boolean),
      planModeInstructions: optional(string),
      toolAliases: optional(record(string)),
      excludeDynamicSections: optional(boolean),
      agents: optional(record(agentDefinition)),
      title: optional(string),
      skills: optional(array(string)),
      promptSuggestions: optional(boolean),
      agentProgressSummaries: optional(boolean),
      forwardSubagentText: optional(boolean),
      supportedDialogKinds: optional(array(string)),
      perTaskStopAffordance: optional(boolean),
      plugins: optional(array(pluginConfig)),
      mcpServers: optional(record(mcpServerConfigForProcessTransport)),
    }),
  ),
};

/** Tells the agent what the host serves and wants. A later one replaces what it names, and leaves the rest as it was. */
export type SDKControlInitializeRequest = Infer<typeof initializeRequests.initialize>;

/** The payload of its answer. */
export const initializeResponses = {
  initialize: lazy(() =>
    object({
      commands: array(slashCommand),
      agents: array(agentInfo),
      output_style: string,
      available_output_styles: array(string),
      models: array(modelInfo),
      account: accountInfo,
      hooks_applied: optional(boolean),
      hook_on_failure_supported: optional(boolean),
      plugins_applied: optional(boolean),
      mcp_servers_applied: optional(boolean),
      sdk_mcp_manifests_parked: optional(
        record(openEnum(['parked', 'already_connected', 'protocol_version_mismatch', 'malformed', 'not_honoured'])),
      ),
      claude_code_version: optional(string),
      fast_mode_state: optional(fastModeState),
      fast_mode_disabled_reason: optional(fastModeDisabledReason),
      user_output_styles_dir: optional(string),
      pid: optional(number),
      current_permission_mode: optional(permissionMode),
      session_state: optional(string),
      capabilities: optional(array(string)),
      hooks_when_unanswered_kept: optional(number),
      other_hook_ask_outranks_host: optional(boolean),
      feedback_mode: optional(record(unknown)),
      analytics_disabled: optional(boolean),
      remote_control_auto_enable: optional(boolean),
      remote_control_auto_connect_default: optional(boolean),
      remote_control_available: optional(boolean),
      remote_control_auto_on_by_default: optional(boolean),
      ide_rc_auto_enable_gate: optional(boolean),
    }),
  ),
};

/** What the agent offers; members after the declared ones were seen on the wire. */
export type SDKControlInitializeResponse = Infer<typeof initializeResponses.initialize>;
