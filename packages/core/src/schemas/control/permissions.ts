import * as z from 'zod/mini';
import { openEnum, openObject, protocol, requestOf } from '../open.ts';
import { mcpServerProvenance, permissionMode, permissionResult, permissionUpdate } from '../permissions.ts';
import { settingsParseError } from './settings.ts';

export const permissionRuleDescription = openObject({
  prefix: z.string(),
  emphasis: z.optional(z.string()).check(z.describe('The part that is to stand out.')),
  suffix: z.optional(z.string()),
}).register(protocol, { id: 'SDKPermissionRuleDescription', description: 'A rule in words, in three parts.' });

export const permissionRuleEntry = openObject({
  behavior: openEnum(['allow', 'deny', 'ask']),
  source: openEnum([
    'userSettings',
    'projectSettings',
    'localSettings',
    'flagSettings',
    'policySettings',
    'cliArg',
    'command',
    'session',
    'mcpMount',
    'toolsNarrowing',
    'mcpServerPolicy',
    'hostCredential',
  ]),
  rule: z.string().check(z.describe('The rule as settings have it, such as `Bash(git log *)`.')),
  description: z.optional(permissionRuleDescription),
  editability: openEnum(['persistent', 'session', 'readonly']).check(z.describe('Whether the rule can be changed for good, for this session, or not at all.')),
  notInEffect: z.optional(z.boolean()),
}).register(protocol, { id: 'SDKPermissionRuleEntry', description: 'A rule, and where it comes from.' });

export const permissionWorkspaceDirectory = openObject({ path: z.string(), source: z.string() }).register(protocol, {
  id: 'SDKPermissionWorkspaceDirectory',
  description: 'A directory the agent may use, and who said so.',
});

export const permissionRulesState = openObject({
  rules: z.array(permissionRuleEntry),
  workspaceDirectories: z.array(permissionWorkspaceDirectory),
  originalCwd: z.string().check(z.describe('The working directory that the session began in.')),
  managedOnly: z.boolean(),
  errors: z.optional(z.array(settingsParseError)),
  withheld: z.optional(z.boolean()),
}).register(protocol, { id: 'SDKControlPermissionRulesState', description: 'All rules that hold.' });

const decisionReason = openEnum([
  'rule',
  'mode',
  'subcommandResults',
  'permissionPromptTool',
  'hook',
  'asyncAgent',
  'sandboxOverride',
  'workingDir',
  'safetyCheck',
  'classifier',
  'other',
]);
const matchedRule = openObject({
  source: z.string(),
  tool_name: z.string(),
  rule_content: z.optional(z.string()).check(z.describe('The pattern of the rule; absent where it is about all calls of the tool.')),
});

/** Requests about permissions. */
export const permissionRequests = {
  can_use_tool: requestOf('can_use_tool', {
    tool_name: z.string().check(z.describe('The name that the model calls the tool by; `mcp__SERVER__TOOL` for a tool of an MCP server.')),
    mcp_server: z.optional(mcpServerProvenance).check(z.describe('The MCP server of the tool; absent for tools of the agent.')),
    input: z.record(z.string(), z.unknown()).check(z.describe('The input of the call, in which the agent may have filled in defaults.')),
    permission_suggestions: z
      .optional(z.array(permissionUpdate))
      .check(z.describe('Changes of the rules to offer to the user; those wanted go back as `updatedPermissions`.')),
    blocked_path: z.optional(z.string()).check(z.describe('The path that made the agent ask, where one did.')),
    decision_reason: z.optional(z.string()).check(z.describe('Why the agent asks, for people to read; may have ANSI colours.')),
    decision_reason_type: z.optional(decisionReason).check(z.describe('Why the agent asks, for programs.')),
    classifier_approvable: z.optional(z.boolean()).check(z.describe('Whether a classifier could approve the call; there where a safety check is involved.')),
    suppress_always_allow_rule: z.optional(z.boolean()).check(z.describe('With true the user should not be offered to allow such calls always.')),
    default_to_no: z.optional(z.boolean()).check(z.describe('With true the host should not preselect the approval.')),
    matched_ask_rule: z.optional(matchedRule).check(z.describe('The rule that wants such calls to be asked for, where one does.')),
    title: z.optional(z.string()).check(z.describe('The question as a sentence to show.')),
    display_name: z.optional(z.string()).check(z.describe('A short name of the tool to show.')),
    tool_use_id: z.string().check(z.describe('The call that is asked for; by it the agent recognises an answer that comes late or twice.')),
    agent_id: z.optional(z.string()).check(z.describe('The subagent that makes the call; absent in the main conversation.')),
    description: z.optional(z.string()).check(z.describe('A line to show with the question, such as what a command is for.')),
    requires_user_interaction: z
      .optional(z.boolean())
      .check(z.describe('True where the question is what the tool is there for, as with `AskUserQuestion` and `ExitPlanMode`.')),
    server_policy_ask_only: z.optional(z.boolean()),
  }).register(protocol, { id: 'SDKControlPermissionRequest', description: 'The agent asks whether it may call a tool.' }),
  set_permission_mode: requestOf('set_permission_mode', {
    mode: permissionMode.check(z.describe('`manual` is taken too, as `default`; `bypassPermissions` is refused unless the agent was started with it allowed.')),
  }).register(protocol, { id: 'SDKControlSetPermissionModeRequest', description: 'Changes how much the agent may do without asking.' }),
  list_permission_rules: requestOf('list_permission_rules', {}).register(protocol, {
    id: 'SDKControlListPermissionRulesRequest',
    description: 'Asks which rules hold.',
  }),
};

/** The payloads of their answers. */
export const permissionResponses = {
  can_use_tool: permissionResult,
  set_permission_mode: openObject({ mode: z.optional(permissionMode) }).register(protocol, {
    id: 'SDKControlSetPermissionModeResponse',
    description: 'The mode that holds from now on.',
  }),
  list_permission_rules: openObject({ state: permissionRulesState }).register(protocol, {
    id: 'SDKControlListPermissionRulesResponse',
    description: 'The rules that hold.',
  }),
};
