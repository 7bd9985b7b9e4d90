import * as z from 'zod/mini';
import { openEnum, openObject, protocol, requestOf } from '../open.ts';
import { fastModeDisabledReason, fastModeState, slashCommand } from '../system/init.ts';
import { mcpServerConfigForProcessTransport, mcpServerToolPolicy, toolTimeout } from '../mcp-servers.ts';
import { permissionMode } from '../permissions.ts';
import { accountInfo, agentDefinition, agentInfo, modelInfo, pluginConfig } from './capabilities.ts';

export const hookCallbackMatcher = openObject({
  matcher: z
    .optional(z.nullable(z.string()))
    .check(
      z.describe(
        'The tools, or other subjects of the event, to which the callbacks apply: names separated by `|`, or a regular expression. If absent, the callbacks apply to all subjects.',
      ),
    ),
  hookCallbackIds: z
    .array(z.string())
    .check(z.describe('Ids chosen by the host. When the event happens, the agent sends one `hook_callback` request for each id, all at the same time.')),
  timeout: z
    .optional(z.number())
    .check(z.describe('How many seconds each callback may take. When this time has passed, the tool call or the prompt is refused. Default: no limit.')),
  onFailure: z
    .optional(openEnum(['continue', 'block']))
    .check(
      z.describe('The effect of an error or an invalid answer. With `continue`, the default, the failure is ignored. With `block`, the action is refused.'),
    ),
}).register(protocol, {
  id: 'SDKHookCallbackMatcher',
  description: 'Callbacks for one event. A host that needs no matcher leaves out `matcher`, or sends an empty string or `null`.',
});

// Unknown event names are accepted too.
const hookMatchers = z.record(z.string(), z.array(hookCallbackMatcher)).register(protocol, { type: 'Partial<Record<HookEvent, SDKHookCallbackMatcher[]>>' });

const sdkServerConfig = openObject({ timeout: toolTimeout, tools: z.optional(z.array(mcpServerToolPolicy)) });
const sdkServerManifest = openObject({
  initializeResult: z.record(z.string(), z.unknown()).check(z.describe('The result that the server gave to the MCP request `initialize`.')),
  toolsListResult: z.optional(z.record(z.string(), z.unknown())).check(z.describe('The result that the server gave to the MCP request `tools/list`.')),
});

/** The request that opens a session. */
export const initializeRequests = {
  initialize: requestOf('initialize', {
    hooks: z
      .optional(z.nullable(hookMatchers))
      .check(z.describe("The host's hooks, by event. They replace all hooks of an earlier `initialize`. `null` means the same as an absent member.")),
    sdkMcpServers: z
      .optional(z.array(z.string()))
      .check(z.describe('The names of the MCP servers inside the host program, which the agent reaches with `mcp_message` requests.')),
    sdkMcpServerConfigs: z
      .optional(z.record(z.string(), sdkServerConfig))
      .check(z.describe('Settings of the MCP servers inside the host program, by the name of the server.')),
    sdkMcpServerManifests: z
      .optional(z.record(z.string(), sdkServerManifest))
      .check(
        z.describe(
          'The handshake answers of the MCP servers inside the host program, by the name of the server. The host has already made this handshake, so the agent need not repeat it.',
        ),
      ),
    sdkMcpServerManifestsOrigin: z
      .optional(openEnum(['host_per_send']))
      .check(
        z.describe(
          'States when the host made `sdkMcpServerManifests`. `host_per_send`: for this request, from the current state of its servers. In a remote session, the agent ignores manifests without this member, because a stored request may be old. Not needed over stdio.',
        ),
      ),
    jsonSchema: z.optional(z.record(z.string(), z.unknown())).check(z.describe('The JSON Schema that `structured_output` in results must satisfy.')),
    systemPrompt: z
      .optional(z.array(z.string()))
      .check(z.describe("The parts of a system prompt that replaces the agent's system prompt. A single empty string means an empty system prompt.")),
    appendSystemPrompt: z.optional(z.string()).check(z.describe("Text to append to the agent's system prompt.")),
    systemPromptSnapshot: z
      .optional(z.boolean())
      .check(
        z.describe(
          'If true, the agent stores the system prompt of the first request to the model, and sends the same prompt with all later requests, also after a resume, until the conversation is compacted. If false, the agent creates the system prompt for each request. Default true.',
        ),
      ),
    planModeInstructions: z.optional(z.string()).check(z.describe('Instructions for the model in the permission mode `plan`.')),
    toolAliases: z
      .optional(z.record(z.string(), z.string()))
      .check(z.describe('The name of a tool for each alias. A name that is itself an alias is not resolved further.')),
    excludeDynamicSections: z
      .optional(z.boolean())
      .check(z.describe('If true, the system prompt contains nothing that changes from run to run, so that it can be cached.')),
    agents: z.optional(z.record(z.string(), agentDefinition)).check(z.describe('Subagents that the host defines, by name.')),
    title: z.optional(z.string()).check(z.describe('The title of the session.')),
    skills: z.optional(z.array(z.string())).check(z.describe('The skills that are offered to the model. If absent, all skills are offered.')),
    promptSuggestions: z.optional(z.boolean()).check(z.describe('If true, the agent may send a `prompt_suggestion` after each result.')),
    agentProgressSummaries: z
      .optional(z.boolean())
      .check(z.describe('If true, the agent summarises the work of subagents in the `summary` member of `task_progress`.')),
    forwardSubagentText: z.optional(z.boolean()).check(z.describe('If true, the agent also sends the texts of subagents.')),
    supportedDialogKinds: z
      .optional(z.array(z.string()))
      .check(z.describe('The kinds of dialogs that the host can show. The agent does not send a `request_user_dialog` of any other kind.')),
    perTaskStopAffordance: z.optional(z.boolean()).check(z.describe('If true, the host lets users stop each background task separately, with `stop_task`.')),
    plugins: z.optional(z.array(pluginConfig)).check(z.describe('Plugins to load. Ignored unless the agent was started with `--await-initialize`.')),
    mcpServers: z
      .optional(z.record(z.string(), mcpServerConfigForProcessTransport))
      .check(z.describe('MCP servers by name. Ignored unless the agent was started with `--await-initialize`.')),
  }).register(protocol, {
    id: 'SDKControlInitializeRequest',
    description:
      'Opens the session, and informs the agent which features the host supports and requests. A later `initialize` replaces the members that it contains, and changes nothing else.',
  }),
};

/** The payload of the answer to this request. */
export const initializeResponses = {
  initialize: openObject({
    commands: z.array(slashCommand),
    agents: z.array(agentInfo),
    output_style: z.string().check(z.describe('The output style in use, from the list `available_output_styles`.')),
    available_output_styles: z.array(z.string()),
    models: z.array(modelInfo),
    account: accountInfo,
    hooks_applied: z.optional(z.boolean()).check(z.describe('True if the hooks of the request are registered. Absent if the request had no hooks.')),
    hook_on_failure_supported: z.optional(z.boolean()).check(z.describe('True if the agent supports `onFailure` of hooks. Older agents ignore `onFailure`.')),
    plugins_applied: z.optional(z.boolean()).check(z.describe('True if the agent applied the `plugins` of the request. Absent if the request had no plugins.')),
    mcp_servers_applied: z
      .optional(z.boolean())
      .check(z.describe('True if the agent applied the `mcpServers` of the request. Absent if the agent did not apply them.')),
    sdk_mcp_manifests_parked: z
      .optional(z.record(z.string(), openEnum(['parked', 'already_connected', 'protocol_version_mismatch', 'malformed', 'not_honoured'])))
      .check(z.describe('What the agent did with each of the `sdkMcpServerManifests`, by the name of the server.')),
    claude_code_version: z.optional(z.string()).check(z.describe('The version of the agent.')),
    fast_mode_state: z.optional(fastModeState),
    fast_mode_disabled_reason: z.optional(fastModeDisabledReason).check(z.describe('Why fast mode is not available. Absent if nothing prevents it.')),
    user_output_styles_dir: z.optional(z.string()).check(z.describe("The folder with the user's output styles.")),
    pid: z.optional(z.number()).check(z.describe('The process id of the agent.')),
    current_permission_mode: z.optional(permissionMode),
    session_state: z.optional(z.string()).check(z.describe('`idle` or `running`, as in the message `session_state_changed`.')),
    capabilities: z.optional(z.array(z.string())).check(z.describe('The names of features that the agent supports. The list in `system/init` is longer.')),
    hooks_when_unanswered_kept: z.optional(z.number()),
    other_hook_ask_outranks_host: z.optional(z.boolean()),
    feedback_mode: z.optional(z.record(z.string(), z.unknown())),
    analytics_disabled: z.optional(z.boolean()),
    sandbox_enabled: z
      .optional(z.union([z.boolean(), z.literal('unknown')]))
      .check(z.describe('Whether the agent runs shell commands in its sandbox. `unknown` if the agent does not know.')),
    remote_control_auto_enable: z.optional(z.boolean()),
    remote_control_auto_connect_default: z.optional(z.boolean()),
    remote_control_available: z.optional(z.boolean()),
    remote_control_auto_on_by_default: z.optional(z.boolean()),
    ide_rc_auto_enable_gate: z.optional(z.boolean()),
  }).register(protocol, {
    id: 'SDKControlInitializeResponse',
    description: 'What the agent offers. Some members were seen on the wire but are not declared by the published SDK.',
  }),
};
