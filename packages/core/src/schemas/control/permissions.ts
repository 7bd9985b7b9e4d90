import * as z from 'zod/mini';
import { openEnum, openObject, protocol, requestOf } from '../open.ts';
import { mcpServerProvenance, permissionMode, permissionResult, permissionUpdate } from '../permissions.ts';
import { settingsParseError } from './settings.ts';

export const permissionRuleDescription = openObject({
  prefix: z.string(),
  emphasis: z.optional(z.string()).check(z.describe('The part of the text to emphasise.')),
  suffix: z.optional(z.string()),
}).register(protocol, { id: 'SDKPermissionRuleDescription', description: 'A permission rule as a readable sentence, in three parts.' });

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
  rule: z.string().check(z.describe('The rule as written in settings files, such as `Bash(git log *)`.')),
  description: z.optional(permissionRuleDescription),
  editability: openEnum(['persistent', 'session', 'readonly']).check(
    z.describe('Whether the rule can be changed permanently, only for this session, or not at all.'),
  ),
  notInEffect: z.optional(z.boolean()),
}).register(protocol, { id: 'SDKPermissionRuleEntry', description: 'A permission rule, and its source.' });

export const permissionWorkspaceDirectory = openObject({ path: z.string(), source: z.string() }).register(protocol, {
  id: 'SDKPermissionWorkspaceDirectory',
  description: 'A directory that the agent may use, and where this permission comes from.',
});

export const permissionRulesState = openObject({
  rules: z.array(permissionRuleEntry),
  workspaceDirectories: z.array(permissionWorkspaceDirectory),
  originalCwd: z.string().check(z.describe('The working directory in which the session started.')),
  managedOnly: z.boolean(),
  errors: z.optional(z.array(settingsParseError)),
  withheld: z.optional(z.boolean()),
}).register(protocol, { id: 'SDKControlPermissionRulesState', description: 'All permission rules in effect.' });

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
  rule_content: z.optional(z.string()).check(z.describe('The pattern of the rule. Absent if the rule applies to all calls of the tool.')),
});

/** Requests about permissions. */
export const permissionRequests = {
  can_use_tool: requestOf('can_use_tool', {
    tool_name: z.string().check(z.describe('The name by which the model calls the tool. `mcp__SERVER__TOOL` for a tool of an MCP server.')),
    mcp_server: z.optional(mcpServerProvenance).check(z.describe("The MCP server of the tool. Absent for the agent's own tools.")),
    input: z.record(z.string(), z.unknown()).check(z.describe('The input of the call. The agent may have filled in defaults.')),
    permission_suggestions: z
      .optional(z.array(permissionUpdate))
      .check(z.describe('Changes to the permission rules that the host may offer to the user. Send the chosen changes back as `updatedPermissions`.')),
    blocked_path: z.optional(z.string()).check(z.describe('The path that made the question necessary. Absent if the reason is not a path.')),
    decision_reason: z.optional(z.string()).check(z.describe('Why the agent asks, as text for people. May contain ANSI colours.')),
    decision_reason_type: z.optional(decisionReason).check(z.describe('Why the agent asks, as a code for programs.')),
    classifier_approvable: z.optional(z.boolean()).check(z.describe('Whether a classifier could approve the call. Present if a safety check is involved.')),
    suppress_always_allow_rule: z.optional(z.boolean()).check(z.describe('If true, do not offer to always allow such calls.')),
    default_to_no: z.optional(z.boolean()).check(z.describe('If true, do not preselect approval.')),
    matched_ask_rule: z.optional(matchedRule).check(z.describe('The rule that requires the agent to ask before such calls. Absent if no such rule exists.')),
    title: z.optional(z.string()).check(z.describe('The question as a sentence, for display.')),
    display_name: z.optional(z.string()).check(z.describe('A short name of the tool, for display.')),
    tool_use_id: z.string().check(z.describe('The id of the tool call. The agent uses this id to recognise late and repeated answers.')),
    agent_id: z.optional(z.string()).check(z.describe('The id of the subagent that makes the call. Absent in the main conversation.')),
    description: z.optional(z.string()).check(z.describe('A line to display with the question, such as the purpose of a command.')),
    requires_user_interaction: z
      .optional(z.boolean())
      .check(z.describe('True if asking the user is the purpose of the tool, as with `AskUserQuestion` and `ExitPlanMode`.')),
    server_policy_ask_only: z.optional(z.boolean()),
  }).register(protocol, { id: 'SDKControlPermissionRequest', description: 'Asks whether the agent may call a tool.' }),
  set_permission_mode: requestOf('set_permission_mode', {
    mode: permissionMode.check(
      z.describe(
        'The new mode. Agents also accept `manual`, which means `default`. `bypassPermissions` is refused unless it was allowed when the agent started.',
      ),
    ),
  }).register(protocol, { id: 'SDKControlSetPermissionModeRequest', description: 'Changes what the agent may do without asking for permission.' }),
  list_permission_rules: requestOf('list_permission_rules', {}).register(protocol, {
    id: 'SDKControlListPermissionRulesRequest',
    description: 'Asks for the permission rules in effect.',
  }),
};

/** The payloads of the answers to these requests. */
export const permissionResponses = {
  can_use_tool: permissionResult,
  set_permission_mode: openObject({ mode: z.optional(permissionMode) }).register(protocol, {
    id: 'SDKControlSetPermissionModeResponse',
    description: 'The permission mode that applies from now on.',
  }),
  list_permission_rules: openObject({ state: permissionRulesState }).register(protocol, {
    id: 'SDKControlListPermissionRulesResponse',
    description: 'The permission rules in effect.',
  }),
};
