import * as z from 'zod/mini';
import { fastModeDisabledReason, fastModeState } from '../fast-mode.ts';
import { mcpServerConfigForProcessTransport, mcpServerToolPolicy } from '../mcp-servers.ts';
import { permissionMode } from '../permission-mode.ts';
import { slashCommand } from '../slash-command.ts';
import { accountInfo, agentDefinition, agentInfo, modelInfo, pluginConfig } from './capabilities.ts';
import { openEnum, protocol } from '../open.ts';

export const hookCallbackMatcher = z
  .looseObject({
    matcher: z.optional(z.nullable(z.string())),
    hookCallbackIds: z.array(z.string()),
    timeout: z.optional(z.number()),
    onFailure: z.optional(openEnum(['continue', 'block'])),
  })
  .register(protocol, {
    id: 'SDKHookCallbackMatcher',
    description: 'Callbacks for one event. Hosts leave `matcher` out, or write an empty one, or `null`.',
  });

// The names of events are open.
const hookMatchers = z.record(z.string(), z.array(hookCallbackMatcher)).register(protocol, {
  type: 'Partial<Record<HookEvent, SDKHookCallbackMatcher[]>>',
});

/** The request that opens a session. */
export const initializeRequests = {
  initialize: z
    .looseObject({
      subtype: z.literal('initialize'),
      hooks: z.optional(z.nullable(hookMatchers)),
      sdkMcpServers: z.optional(z.array(z.string())),
      sdkMcpServerConfigs: z.optional(
        z.record(
          z.string(),
          z.looseObject({ timeout: z.optional(z.number()), tools: z.optional(z.array(mcpServerToolPolicy)) }),
        ),
      ),
      sdkMcpServerManifests: z.optional(
        z.record(
          z.string(),
          z.looseObject({
            initializeResult: z.record(z.string(), z.unknown()),
            toolsListResult: z.optional(z.record(z.string(), z.unknown())),
          }),
        ),
      ),
      sdkMcpServerManifestsOrigin: z.optional(openEnum(['host_per_send'])),
      jsonSchema: z.optional(z.record(z.string(), z.unknown())),
      systemPrompt: z.optional(z.array(z.string())),
      appendSystemPrompt: z.optional(z.string()),
      systemPromptSnapshot: z.optional(z.boolean()),
      planModeInstructions: z.optional(z.string()),
      toolAliases: z.optional(z.record(z.string(), z.string())),
      excludeDynamicSections: z.optional(z.boolean()),
      agents: z.optional(z.record(z.string(), agentDefinition)),
      title: z.optional(z.string()),
      skills: z.optional(z.array(z.string())),
      promptSuggestions: z.optional(z.boolean()),
      agentProgressSummaries: z.optional(z.boolean()),
      forwardSubagentText: z.optional(z.boolean()),
      supportedDialogKinds: z.optional(z.array(z.string())),
      perTaskStopAffordance: z.optional(z.boolean()),
      plugins: z.optional(z.array(pluginConfig)),
      mcpServers: z.optional(z.record(z.string(), mcpServerConfigForProcessTransport)),
    })
    .register(protocol, {
      id: 'SDKControlInitializeRequest',
      description:
        'Tells the agent what the host serves and wants. A later one replaces what it names, and leaves the rest as it was.',
    }),
};

/** The payload of its answer. */
export const initializeResponses = {
  initialize: z
    .looseObject({
      commands: z.array(slashCommand),
      agents: z.array(agentInfo),
      output_style: z.string(),
      available_output_styles: z.array(z.string()),
      models: z.array(modelInfo),
      account: accountInfo,
      hooks_applied: z.optional(z.boolean()),
      hook_on_failure_supported: z.optional(z.boolean()),
      plugins_applied: z.optional(z.boolean()),
      mcp_servers_applied: z.optional(z.boolean()),
      sdk_mcp_manifests_parked: z.optional(
        z.record(
          z.string(),
          openEnum(['parked', 'already_connected', 'protocol_version_mismatch', 'malformed', 'not_honoured']),
        ),
      ),
      claude_code_version: z.optional(z.string()),
      fast_mode_state: z.optional(fastModeState),
      fast_mode_disabled_reason: z.optional(fastModeDisabledReason),
      user_output_styles_dir: z.optional(z.string()),
      pid: z.optional(z.number()),
      current_permission_mode: z.optional(permissionMode),
      session_state: z.optional(z.string()),
      capabilities: z.optional(z.array(z.string())),
      hooks_when_unanswered_kept: z.optional(z.number()),
      other_hook_ask_outranks_host: z.optional(z.boolean()),
      feedback_mode: z.optional(z.record(z.string(), z.unknown())),
      analytics_disabled: z.optional(z.boolean()),
      remote_control_auto_enable: z.optional(z.boolean()),
      remote_control_auto_connect_default: z.optional(z.boolean()),
      remote_control_available: z.optional(z.boolean()),
      remote_control_auto_on_by_default: z.optional(z.boolean()),
      ide_rc_auto_enable_gate: z.optional(z.boolean()),
    })
    .register(protocol, {
      id: 'SDKControlInitializeResponse',
      description: 'What the agent offers; members after the declared ones were seen on the wire.',
    }),
};
