import * as z from 'zod/mini';
import { permissionMode } from '../permission-mode.ts';
import { mcpServerProvenance, permissionResult, permissionUpdate } from '../permissions.ts';
import { type Infer, lazy, object, openEnum, optional } from '../schema.ts';
import { settingsParseError } from './settings.ts';

/** Schema of `SDKPermissionRuleDescription`. */
export const permissionRuleDescription = lazy(() =>
  object({ prefix: z.string(), emphasis: optional(z.string()), suffix: optional(z.string()) }),
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
    rule: z.string(),
    description: optional(permissionRuleDescription()),
    editability: openEnum(['persistent', 'session', 'readonly']),
    notInEffect: optional(z.boolean()),
  }),
);

/** A rule, and where it comes from. */
export type SDKPermissionRuleEntry = Infer<typeof permissionRuleEntry>;

/** Schema of `SDKPermissionWorkspaceDirectory`. */
export const permissionWorkspaceDirectory = lazy(() => object({ path: z.string(), source: z.string() }));

/** A directory the agent may use, and who said so. */
export type SDKPermissionWorkspaceDirectory = Infer<typeof permissionWorkspaceDirectory>;

/** Schema of `SDKControlPermissionRulesState`. */
export const permissionRulesState = lazy(() =>
  object({
    rules: z.array(permissionRuleEntry()),
    workspaceDirectories: z.array(permissionWorkspaceDirectory()),
    originalCwd: z.string(),
    managedOnly: z.boolean(),
    errors: optional(z.array(settingsParseError())),
    withheld: optional(z.boolean()),
  }),
);

/** All rules that hold. */
export type SDKControlPermissionRulesState = Infer<typeof permissionRulesState>;

/** Requests about permissions. */
export const permissionRequests = {
  can_use_tool: lazy(() =>
    object({
      subtype: z.literal('can_use_tool'),
      tool_name: z.string(),
      mcp_server: optional(mcpServerProvenance()),
      input: z.record(z.string(), z.unknown()),
      permission_suggestions: optional(z.array(permissionUpdate())),
      blocked_path: optional(z.string()),
      decision_reason: optional(z.string()),
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
      classifier_approvable: optional(z.boolean()),
      suppress_always_allow_rule: optional(z.boolean()),
      default_to_no: optional(z.boolean()),
      matched_ask_rule: optional(
        object({ source: z.string(), tool_name: z.string(), rule_content: optional(z.string()) }),
      ),
      title: optional(z.string()),
      display_name: optional(z.string()),
      tool_use_id: z.string(),
      agent_id: optional(z.string()),
      description: optional(z.string()),
      requires_user_interaction: optional(z.boolean()),
      server_policy_ask_only: optional(z.boolean()),
    }),
  ),
  set_permission_mode: lazy(() => object({ subtype: z.literal('set_permission_mode'), mode: permissionMode() })),
  list_permission_rules: lazy(() => object({ subtype: z.literal('list_permission_rules') })),
};

/** The agent asks whether it may call a tool. */
export type SDKControlPermissionRequest = Infer<typeof permissionRequests.can_use_tool>;

/** Changes how much the agent may do without asking. */
export type SDKControlSetPermissionModeRequest = Infer<typeof permissionRequests.set_permission_mode>;

/** Asks which rules hold. */
export type SDKControlListPermissionRulesRequest = Infer<typeof permissionRequests.list_permission_rules>;

/** The payloads of their answers. */
export const permissionResponses = {
  can_use_tool: lazy(() => permissionResult()),
  set_permission_mode: lazy(() => object({ mode: optional(permissionMode()) })),
  list_permission_rules: lazy(() => object({ state: permissionRulesState() })),
};

/** The mode that holds from now on. */
export type SDKControlSetPermissionModeResponse = Infer<typeof permissionResponses.set_permission_mode>;

/** The rules that hold. */
export type SDKControlListPermissionRulesResponse = Infer<typeof permissionResponses.list_permission_rules>;
