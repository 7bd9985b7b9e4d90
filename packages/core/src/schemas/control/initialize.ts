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
      z.describe('Names with `|` between them, or a regular expression, for the tool or whatever else the event is about; all match where there is none.'),
    ),
  hookCallbackIds: z.array(z.string()).check(z.describe('Ids that the host makes up; each is called by a `hook_callback` of its own, all at once.')),
  timeout: z.optional(z.number()).check(z.describe('How many seconds each callback may take before a tool call or a prompt is refused; no limit by default.')),
  onFailure: z
    .optional(openEnum(['continue', 'block']))
    .check(z.describe('What an error or an invalid answer does: `continue`, the default, passes over it, `block` refuses the action.')),
}).register(protocol, { id: 'SDKHookCallbackMatcher', description: 'Callbacks for one event. Hosts leave `matcher` out, or write an empty one, or `null`.' });

// The names of events are open.
const hookMatchers = z.record(z.string(), z.array(hookCallbackMatcher)).register(protocol, { type: 'Partial<Record<HookEvent, SDKHookCallbackMatcher[]>>' });

const sdkServerConfig = openObject({ timeout: toolTimeout, tools: z.optional(z.array(mcpServerToolPolicy)) });
const sdkServerManifest = openObject({
  initializeResult: z.record(z.string(), z.unknown()).check(z.describe("The server's result of the MCP request `initialize`.")),
  toolsListResult: z.optional(z.record(z.string(), z.unknown())).check(z.describe("The server's result of the MCP request `tools/list`.")),
});

/** The request that opens a session. */
export const initializeRequests = {
  initialize: requestOf('initialize', {
    hooks: z
      .optional(z.nullable(hookMatchers))
      .check(z.describe('The hooks of the host by event, in place of all that an earlier `initialize` registered; null is the same as absent.')),
    sdkMcpServers: z.optional(z.array(z.string())).check(z.describe('Names of MCP servers within the host, which are reached by `mcp_message`.')),
    sdkMcpServerConfigs: z.optional(z.record(z.string(), sdkServerConfig)).check(z.describe('What holds for those servers, by their names.')),
    sdkMcpServerManifests: z
      .optional(z.record(z.string(), sdkServerManifest))
      .check(z.describe('What those servers answered to a handshake that the host has made, by their names; the agent need not make it again.')),
    sdkMcpServerManifestsOrigin: z.optional(openEnum(['host_per_send'])).check(z.describe('Needed over remote transports only.')),
    jsonSchema: z.optional(z.record(z.string(), z.unknown())).check(z.describe('The JSON Schema that the `structured_output` of results has to fit.')),
    systemPrompt: z
      .optional(z.array(z.string()))
      .check(z.describe('The parts of a system prompt in place of the one of the agent; a single empty text is an empty prompt.')),
    appendSystemPrompt: z.optional(z.string()).check(z.describe('Text to add behind the system prompt of the agent.')),
    systemPromptSnapshot: z.optional(z.boolean()).check(z.describe('With true the system prompt is recorded once.')),
    planModeInstructions: z.optional(z.string()).check(z.describe('What the model is told in the permission mode `plan`.')),
    toolAliases: z
      .optional(z.record(z.string(), z.string()))
      .check(z.describe('Other names for tools, each with the name it stands for; an alias of an alias is not followed.')),
    excludeDynamicSections: z.optional(z.boolean()).check(z.describe('With true the system prompt leaves out what changes with each run, to be cached.')),
    agents: z.optional(z.record(z.string(), agentDefinition)).check(z.describe('Subagents that the host defines, by name.')),
    title: z.optional(z.string()).check(z.describe('The title of the session.')),
    skills: z.optional(z.array(z.string())).check(z.describe('The only skills that are offered; all where it is absent.')),
    promptSuggestions: z.optional(z.boolean()).check(z.describe('With true the agent may send a `prompt_suggestion` after each result.')),
    agentProgressSummaries: z.optional(z.boolean()).check(z.describe('With true the agent sums up what subagents do, in the `summary` of `task_progress`.')),
    forwardSubagentText: z.optional(z.boolean()).check(z.describe('With true the agent also tells what subagents say.')),
    supportedDialogKinds: z
      .optional(z.array(z.string()))
      .check(z.describe('The kinds of dialog that the host can show; the agent sends no `request_user_dialog` of any other kind.')),
    perTaskStopAffordance: z
      .optional(z.boolean())
      .check(z.describe('Tells that users can stop each background task by itself, so that an `interrupt` leaves them running.')),
    plugins: z.optional(z.array(pluginConfig)).check(z.describe('Plugins to load; read only by an agent that was started with `--await-initialize`.')),
    mcpServers: z
      .optional(z.record(z.string(), mcpServerConfigForProcessTransport))
      .check(z.describe('MCP servers by name; read only by an agent that was started with `--await-initialize`.')),
  }).register(protocol, {
    id: 'SDKControlInitializeRequest',
    description: 'Tells the agent what the host serves and wants. A later one replaces what it names, and leaves the rest as it was.',
  }),
};

/** The payload of its answer. */
export const initializeResponses = {
  initialize: openObject({
    commands: z.array(slashCommand),
    agents: z.array(agentInfo),
    output_style: z.string().check(z.describe('The output style in use, one of `available_output_styles`.')),
    available_output_styles: z.array(z.string()),
    models: z.array(modelInfo),
    account: accountInfo,
    hooks_applied: z.optional(z.boolean()).check(z.describe('True where the hooks of this request are registered; absent where it had none.')),
    hook_on_failure_supported: z.optional(z.boolean()).check(z.describe('True where the agent minds `onFailure` of hooks; older agents ignore it.')),
    plugins_applied: z.optional(z.boolean()).check(z.describe('True where the `plugins` of the request were taken; absent where it named none.')),
    mcp_servers_applied: z.optional(z.boolean()).check(z.describe('True where the `mcpServers` of the request were taken; absent where they were not.')),
    sdk_mcp_manifests_parked: z
      .optional(z.record(z.string(), openEnum(['parked', 'already_connected', 'protocol_version_mismatch', 'malformed', 'not_honoured'])))
      .check(z.describe('What became of each of the `sdkMcpServerManifests`, by the name of its server.')),
    claude_code_version: z.optional(z.string()).check(z.describe('The version of the agent.')),
    fast_mode_state: z.optional(fastModeState),
    fast_mode_disabled_reason: z.optional(fastModeDisabledReason).check(z.describe('Absent where nothing is in the way of fast mode.')),
    user_output_styles_dir: z.optional(z.string()).check(z.describe('The folder in which the user keeps output styles of their own.')),
    pid: z.optional(z.number()).check(z.describe('The id of the process of the agent.')),
    current_permission_mode: z.optional(permissionMode),
    session_state: z.optional(z.string()).check(z.describe('`idle` or `running`, as in the message `session_state_changed`.')),
    capabilities: z.optional(z.array(z.string())).check(z.describe('Features that the agent has, by name; the list in `system/init` is the longer one.')),
    hooks_when_unanswered_kept: z.optional(z.number()),
    other_hook_ask_outranks_host: z.optional(z.boolean()),
    feedback_mode: z.optional(z.record(z.string(), z.unknown())),
    analytics_disabled: z.optional(z.boolean()),
    remote_control_auto_enable: z.optional(z.boolean()),
    remote_control_auto_connect_default: z.optional(z.boolean()),
    remote_control_available: z.optional(z.boolean()),
    remote_control_auto_on_by_default: z.optional(z.boolean()),
    ide_rc_auto_enable_gate: z.optional(z.boolean()),
  }).register(protocol, { id: 'SDKControlInitializeResponse', description: 'What the agent offers; members after the declared ones were seen on the wire.' }),
};
