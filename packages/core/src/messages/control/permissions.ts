import { permissionMode } from '../permission-mode.ts';
import { mcpServerProvenance, permissionResult, permissionUpdate } from '../permissions.ts';
import { object, optional } from '../object-schema.ts';
import { array, boolean, type Infer, lazy, literal, openEnum, record, string, unknown } from '../schema.ts';
import { settingsParseError } from './settings.ts';

/** Schema of `SDKPermissionRuleDescription`. */
export const permissionRuleDescription = lazy(() =>
  object({ prefix: string, emphasis: optional(string), suffix: optional(string) }),
);

/** A rule in words, in three parts. */
export type SDKPermissionRuleDescription = Infer<typeof permissionRuleDescription>;

/** Schema of `SDKPermissionRuleEntry`. */
export const permissionRuleEntry = lazy(() =>
  object({
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
    rule: string,
    description: optional(permissionRuleDescription),
    editability: openEnum(['persistent', 'session', 'readonly']),
    notInEffect: optional(boolean),
  }),
);

/** A rule, and where it comes from. */
export type SDKPermissionRuleEntry = Infer<typeof permissionRuleEntry>;

/** Schema of `SDKPermissionWorkspaceDirectory`. */
export const permissionWorkspaceDirectory = lazy(() => object({ path: string, source: string }));

/** A directory the agent may use, and who said so. */
export type SDKPermissionWorkspaceDirectory = Infer<typeof permissionWorkspaceDirectory>;

/** Schema of `SDKControlPermissionRulesState`. */
export const permissionRulesState = lazy(() =>
  object({
    rules: array(permissionRuleEntry),
    workspaceDirectories: array(permissionWorkspaceDirectory),
    originalCwd: string,
    managedOnly: boolean,
    errors: optional(array(settingsParseError)),
    withheld: optional(boolean),
  }),
);

/** All rules that hold. */
export type SDKControlPermissionRulesState = Infer<typeof permissionRulesState>;

/** Requests about permissions. */
export const permissionRequests = {
  can_use_tool: lazy(() =>
    object({
      subtype: literal('can_use_tool'),
      tool_name: string,
      mcp_server: optional(mcpServerProvenance),
      input: record(unknown),
      permission_suggestions: optional(array(permissionUpdate)),
      blocked_path: optional(string),
      decision_reason: optional(string),
      decision_reason_type: optional(
        openEnum([
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
        ]),
      ),
      classifier_approvable: optional(boolean),
      suppress_always_allow_rule: optional(boolean),
      default_to_no: optional(boolean),
      matched_ask_rule: optional(object({ source: string, tool_name: string, rule_content: optional(string) })),
      title: optional(string),
      display_name: optional(string),
      tool_use_id: string,
      agent_id: optional(string),
      description: optional(string),
      requires_user_interaction: optional(boolean),
      server_policy_ask_only: optional(boolean),
    }),
  ),
  set_permission_mode: lazy(() => object({ subtype: literal('set_permission_mode'), mode: permissionMode })),
  list_permission_rules: lazy(() => object({ subtype: literal('list_permission_rules') })),
};

/** The agent asks whether it may call a tool. */
export type SDKControlPermissionRequest = Infer<typeof permissionRequests.can_use_tool>;

/** Changes how much the agent may do without asking. */
export type SDKControlSetPermissionModeRequest = Infer<typeof permissionRequests.set_permission_mode>;

/** Asks which rules hold. */
export type SDKControlListPermissionRulesRequest = Infer<typeof permissionRequests.list_permission_rules>;

/** The payloads of their answers. */
export const permissionResponses = {
  can_use_tool: lazy(() => permissionResult),
  set_permission_mode: lazy(() => object({ mode: optional(permissionMode) })),
  list_permission_rules: lazy(() => object({ state: permissionRulesState })),
};

/** The mode that holds from now on. */
export type SDKControlSetPermissionModeResponse = Infer<typeof permissionResponses.set_permission_mode>;

/** The rules that hold. */
export type SDKControlListPermissionRulesResponse = Infer<typeof permissionResponses.list_permission_rules>;
