import * as z from 'zod/mini';
import { permissionMode } from '../permission-mode.ts';
import { mcpServerProvenance, permissionResult, permissionUpdate } from '../permissions.ts';
import { settingsParseError } from './settings.ts';
import { openEnum, protocol } from '../open.ts';

export const permissionRuleDescription = z
  .looseObject({ prefix: z.string(), emphasis: z.optional(z.string()), suffix: z.optional(z.string()) })
  .register(protocol, { id: 'SDKPermissionRuleDescription', description: 'A rule in words, in three parts.' });

export const permissionRuleEntry = z
  .looseObject({
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
    description: z.optional(permissionRuleDescription),
    editability: openEnum(['persistent', 'session', 'readonly']),
    notInEffect: z.optional(z.boolean()),
  })
  .register(protocol, { id: 'SDKPermissionRuleEntry', description: 'A rule, and where it comes from.' });

export const permissionWorkspaceDirectory = z.looseObject({ path: z.string(), source: z.string() }).register(protocol, {
  id: 'SDKPermissionWorkspaceDirectory',
  description: 'A directory the agent may use, and who said so.',
});

export const permissionRulesState = z
  .looseObject({
    rules: z.array(permissionRuleEntry),
    workspaceDirectories: z.array(permissionWorkspaceDirectory),
    originalCwd: z.string(),
    managedOnly: z.boolean(),
    errors: z.optional(z.array(settingsParseError)),
    withheld: z.optional(z.boolean()),
  })
  .register(protocol, { id: 'SDKControlPermissionRulesState', description: 'All rules that hold.' });

/** Requests about permissions. */
export const permissionRequests = {
  can_use_tool: z
    .looseObject({
      subtype: z.literal('can_use_tool'),
      tool_name: z.string(),
      mcp_server: z.optional(mcpServerProvenance),
      input: z.record(z.string(), z.unknown()),
      permission_suggestions: z.optional(z.array(permissionUpdate)),
      blocked_path: z.optional(z.string()),
      decision_reason: z.optional(z.string()),
      decision_reason_type: z.optional(
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
      classifier_approvable: z.optional(z.boolean()),
      suppress_always_allow_rule: z.optional(z.boolean()),
      default_to_no: z.optional(z.boolean()),
      matched_ask_rule: z.optional(
        z.looseObject({ source: z.string(), tool_name: z.string(), rule_content: z.optional(z.string()) }),
      ),
      title: z.optional(z.string()),
      display_name: z.optional(z.string()),
      tool_use_id: z.string(),
      agent_id: z.optional(z.string()),
      description: z.optional(z.string()),
      requires_user_interaction: z.optional(z.boolean()),
      server_policy_ask_only: z.optional(z.boolean()),
    })
    .register(protocol, {
      id: 'SDKControlPermissionRequest',
      description: 'The agent asks whether it may call a tool.',
    }),
  set_permission_mode: z
    .looseObject({ subtype: z.literal('set_permission_mode'), mode: permissionMode })
    .register(protocol, {
      id: 'SDKControlSetPermissionModeRequest',
      description: 'Changes how much the agent may do without asking.',
    }),
  list_permission_rules: z
    .looseObject({ subtype: z.literal('list_permission_rules') })
    .register(protocol, { id: 'SDKControlListPermissionRulesRequest', description: 'Asks which rules hold.' }),
};

/** The payloads of their answers. */
export const permissionResponses = {
  can_use_tool: permissionResult,
  set_permission_mode: z
    .looseObject({ mode: z.optional(permissionMode) })
    .register(protocol, { id: 'SDKControlSetPermissionModeResponse', description: 'The mode that holds from now on.' }),
  list_permission_rules: z
    .looseObject({ state: permissionRulesState })
    .register(protocol, { id: 'SDKControlListPermissionRulesResponse', description: 'The rules that hold.' }),
};
