import * as z from 'zod/mini';
import { fastModeDisabledReason, fastModeState } from '../fast-mode.ts';
import type { HookEvent } from '../hooks/base.ts';
import { mcpServerConfigForProcessTransport, mcpServerToolPolicy } from '../mcp-servers.ts';
import { permissionMode } from '../permission-mode.ts';
import { type Infer, lazy, object, openEnum, optional, type SchemaOf } from '../schema.ts';
import { slashCommand } from '../slash-command.ts';
import { accountInfo, agentDefinition, agentInfo, modelInfo, pluginConfig } from './capabilities.ts';

/** Schema of `SDKHookCallbackMatcher`. */
export const hookCallbackMatcher = lazy(() =>
  object({
    matcher: optional(z.nullable(z.string())),
    hookCallbackIds: z.array(z.string()),
    timeout: optional(z.number()),
    onFailure: optional(openEnum(['continue', 'block'])),
  }),
);

/** Callbacks for one event. Hosts leave `matcher` out, or write an empty one, or `null`. */
export type SDKHookCallbackMatcher = Infer<typeof hookCallbackMatcher>;

const hookMatchers = lazy(
  () =>
    z.record(z.string(), z.array(hookCallbackMatcher())) as unknown as SchemaOf<
      Partial<Record<HookEvent, SDKHookCallbackMatcher[]>>
    >,
);

/** The request that opens a session. */
export const initializeRequests = {
  initialize: lazy(() =>
    object({
      subtype: z.literal('initialize'),
      hooks: optional(z.nullable(hookMatchers())),
      sdkMcpServers: optional(z.array(z.string())),
      sdkMcpServerConfigs: optional(
        z.record(
          z.string(),
          object({ timeout: optional(z.number()), tools: optional(z.array(mcpServerToolPolicy())) }),
        ),
      ),
      sdkMcpServerManifests: optional(
        z.record(
          z.string(),
          object({
            initializeResult: z.record(z.string(), z.unknown()),
            toolsListResult: optional(z.record(z.string(), z.unknown())),
          }),
        ),
      ),
      sdkMcpServerManifestsOrigin: optional(openEnum(['host_per_send'])),
      jsonSchema: optional(z.record(z.string(), z.unknown())),
      systemPrompt: optional(z.array(z.string())),
      appendSystemPrompt: optional(z.string()),
      systemPromptSnapshot: optional(z.boolean()),
      planModeInstructions: optional(z.string()),
      toolAliases: optional(z.record(z.string(), z.string())),
      excludeDynamicSections: optional(z.boolean()),
      agents: optional(z.record(z.string(), agentDefinition())),
      title: optional(z.string()),
      skills: optional(z.array(z.string())),
      promptSuggestions: optional(z.boolean()),
      agentProgressSummaries: optional(z.boolean()),
      forwardSubagentText: optional(z.boolean()),
      supportedDialogKinds: optional(z.array(z.string())),
      perTaskStopAffordance: optional(z.boolean()),
      plugins: optional(z.array(pluginConfig())),
      mcpServers: optional(z.record(z.string(), mcpServerConfigForProcessTransport())),
    }),
  ),
};

/** Tells the agent what the host serves and wants. A later one replaces the hooks of the one before. */
export type SDKControlInitializeRequest = Infer<typeof initializeRequests.initialize>;

/** The payload of its answer. */
export const initializeResponses = {
  initialize: lazy(() =>
    object({
      commands: z.array(slashCommand()),
      agents: z.array(agentInfo()),
      output_style: z.string(),
      available_output_styles: z.array(z.string()),
      models: z.array(modelInfo()),
      account: accountInfo(),
      hooks_applied: optional(z.boolean()),
      hook_on_failure_supported: optional(z.boolean()),
      plugins_applied: optional(z.boolean()),
      mcp_servers_applied: optional(z.boolean()),
      sdk_mcp_manifests_parked: optional(
        z.record(
          z.string(),
          openEnum(['parked', 'already_connected', 'protocol_version_mismatch', 'malformed', 'not_honoured']),
        ),
      ),
      claude_code_version: optional(z.string()),
      fast_mode_state: optional(fastModeState()),
      fast_mode_disabled_reason: optional(fastModeDisabledReason()),
      user_output_styles_dir: optional(z.string()),
      pid: optional(z.number()),
      current_permission_mode: optional(permissionMode()),
      session_state: optional(z.string()),
      capabilities: optional(z.array(z.string())),
      hooks_when_unanswered_kept: optional(z.number()),
      other_hook_ask_outranks_host: optional(z.boolean()),
      feedback_mode: optional(z.record(z.string(), z.unknown())),
      analytics_disabled: optional(z.boolean()),
      remote_control_auto_enable: optional(z.boolean()),
      remote_control_auto_connect_default: optional(z.boolean()),
      remote_control_available: optional(z.boolean()),
      remote_control_auto_on_by_default: optional(z.boolean()),
      ide_rc_auto_enable_gate: optional(z.boolean()),
    }),
  ),
};

/** What the agent offers; members after the declared ones were seen on the wire. */
export type SDKControlInitializeResponse = Infer<typeof initializeResponses.initialize>;
