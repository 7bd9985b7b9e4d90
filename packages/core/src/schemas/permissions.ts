import * as z from 'zod/mini';
import { openEnum, openObject, openUnion, protocol } from './open.ts';

export const permissionMode = openEnum(['default', 'acceptEdits', 'bypassPermissions', 'plan', 'dontAsk', 'auto'], {
  id: 'PermissionMode',
  description: 'What the agent may do without asking for permission.',
});

export const permissionBehavior = openEnum(['allow', 'deny', 'ask'], {
  id: 'PermissionBehavior',
  description: 'What a permission rule does with a tool call.',
});

export const permissionUpdateDestination = openEnum(['userSettings', 'projectSettings', 'localSettings', 'session', 'cliArg'], {
  id: 'PermissionUpdateDestination',
  description: 'Where a change to the permission rules is stored. A change stored in `session` is lost when the session ends.',
});

export const permissionDecisionClassification = openEnum(['user_temporary', 'user_permanent', 'user_reject'], {
  id: 'PermissionDecisionClassification',
  description: 'What the user meant by the answer. Agents use this value for statistics.',
});

export const permissionRuleValue = openObject({
  toolName: z.string().check(z.describe('The name of a tool as the model calls it, such as `Bash` or `mcp__SERVER__TOOL`.')),
  ruleContent: // Some hosts send `null` if a rule has no pattern. The type follows the published type, in which the member is absent.
    z.optional(z.nullable(z.string())).register(protocol, { type: 'string' }),
}).register(protocol, { id: 'PermissionRuleValue', description: 'A permission rule: the name of a tool, and a pattern for its input.' });

const ruleChange = <const Type extends string>(type: Type) =>
  openObject({
    type: z.literal(type),
    rules: z
      .array(permissionRuleValue)
      .check(z.describe('The rules to add or to remove. With `replaceRules`, these rules replace all rules of the same behavior in the destination.')),
    behavior: permissionBehavior.check(z.describe('What the rules do with a tool call. Only rules of the same behavior are replaced or removed.')),
    destination: permissionUpdateDestination,
  });
const directoryChange = <const Type extends string>(type: Type) =>
  openObject({
    type: z.literal(type),
    directories: z
      .array(z.string())
      .check(z.describe('The paths of directories that the agent may work in or, with `removeDirectories`, may no longer work in.')),
    destination: permissionUpdateDestination,
  });

export const permissionUpdate = openUnion(
  'type',
  [
    ruleChange('addRules'),
    ruleChange('replaceRules'),
    ruleChange('removeRules'),
    openObject({ type: z.literal('setMode'), mode: permissionMode, destination: permissionUpdateDestination }),
    directoryChange('addDirectories'),
    directoryChange('removeDirectories'),
  ],
  {
    id: 'PermissionUpdate',
    description: 'A change to the permission rules. An agent offers changes in a permission request, and the host sends back the changes that the user chose.',
  },
);

export const permissionResult = z
  .discriminatedUnion('behavior', [
    openObject({
      behavior: z.literal('allow'),
      updatedInput: z
        .optional(z.record(z.string(), z.unknown()))
        .check(z.describe('The complete new input for the tool call. If absent, the input stays unchanged.')),
      updatedPermissions: z
        .optional(z.array(permissionUpdate))
        .check(
          z.describe(
            'Changes to the permission rules to apply. Malformed changes are ignored. The total number of updates, rules and directories must not exceed 4096.',
          ),
        ),
      toolUseID: z.optional(z.string()).check(z.describe('The `tool_use_id` of the request. The agent uses this id to recognise late and repeated answers.')),
      decisionClassification: z.optional(permissionDecisionClassification),
    }),
    // Hosts that leave out empty texts send a denial without a message.
    openObject({
      behavior: z.literal('deny'),
      message: z.optional(z.string()).check(z.describe('The text that the model reads as the result of the call.')),
      interrupt: z
        .optional(z.boolean())
        .check(z.describe('If true, the whole turn ends with the result `error_during_execution`. Otherwise the turn continues without the call.')),
      toolUseID: z.optional(z.string()).check(z.describe('The `tool_use_id` of the request. The agent uses this id to recognise late and repeated answers.')),
      decisionClassification: z.optional(permissionDecisionClassification),
    }),
  ])
  .register(protocol, {
    id: 'PermissionResult',
    description: 'The answer to a permission request. A value whose `behavior` is neither `allow` nor `deny` is not an answer.',
  });

export const mcpServerProvenance = openObject({
  name: z.string(),
  source: z.string().check(z.describe('Where the server comes from, such as `sdk` for a server inside the host program.')),
}).register(protocol, {
  id: 'McpServerProvenance',
  description: 'The MCP server of a tool. Trust `source` rather than `name`, because a server can have any name.',
});
