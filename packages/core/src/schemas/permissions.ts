import * as z from 'zod/mini';
import { openEnum, openObject, openUnion, protocol } from './open.ts';

export const permissionMode = openEnum(['default', 'acceptEdits', 'bypassPermissions', 'plan', 'dontAsk', 'auto'], {
  id: 'PermissionMode',
  description: 'How much the agent may do without asking.',
});

export const permissionBehavior = openEnum(['allow', 'deny', 'ask'], {
  id: 'PermissionBehavior',
  description: 'What a permission rule does with a tool call.',
});

export const permissionUpdateDestination = openEnum(['userSettings', 'projectSettings', 'localSettings', 'session', 'cliArg'], {
  id: 'PermissionUpdateDestination',
  description: 'Where a change of the rules is kept; `session` ends with the session.',
});

export const permissionDecisionClassification = openEnum(['user_temporary', 'user_permanent', 'user_reject'], {
  id: 'PermissionDecisionClassification',
  description: 'How the user meant an answer, for the statistics of the agent.',
});

export const permissionRuleValue = openObject({
  toolName: z.string().check(z.describe('The name of a tool as the model calls it, such as `Bash` or `mcp__SERVER__TOOL`.')),
  ruleContent: // Some hosts write `null` for no pattern. Typed as the published type is: absent.
    z.optional(z.nullable(z.string())).register(protocol, { type: 'string' }),
}).register(protocol, { id: 'PermissionRuleValue', description: 'A rule: a tool, and a pattern of its input.' });

const ruleChange = <const Type extends string>(type: Type) =>
  openObject({
    type: z.literal(type),
    rules: z
      .array(permissionRuleValue)
      .check(z.describe('The rules to add or to take away; with `replaceRules` the only ones of this behavior that the destination has afterwards.')),
    behavior: permissionBehavior.check(z.describe('What the rules do with a call; only rules of the same behavior are replaced or taken away.')),
    destination: permissionUpdateDestination,
  });
const directoryChange = <const Type extends string>(type: Type) =>
  openObject({
    type: z.literal(type),
    directories: z.array(z.string()).check(z.describe('Paths of directories that the agent may work in, or no longer with `removeDirectories`.')),
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
  { id: 'PermissionUpdate', description: 'A change of the permission rules: offered with a request, and sent back with its answer when the user wants it.' },
);

export const permissionResult = z
  .discriminatedUnion('behavior', [
    openObject({
      behavior: z.literal('allow'),
      updatedInput: z
        .optional(z.record(z.string(), z.unknown()))
        .check(z.describe('The whole input to call the tool with instead; the call is made as it was where this is absent.')),
      updatedPermissions: z
        .optional(z.array(permissionUpdate))
        .check(z.describe('Changes of the rules to apply as well: malformed ones are ignored, at most 4096 updates, rules and directories in all.')),
      toolUseID: z.optional(z.string()).check(z.describe('The `tool_use_id` of the request; by it the agent recognises an answer that comes late or twice.')),
      decisionClassification: z.optional(permissionDecisionClassification),
    }),
    // Hosts that leave out empty texts send a denial without its message.
    openObject({
      behavior: z.literal('deny'),
      message: z.optional(z.string()).check(z.describe('What the model reads as the result of the call.')),
      interrupt: z
        .optional(z.boolean())
        .check(z.describe('With true the whole turn ends, with the result `error_during_execution`; otherwise it goes on without the call.')),
      toolUseID: z.optional(z.string()).check(z.describe('The `tool_use_id` of the request; by it the agent recognises an answer that comes late or twice.')),
      decisionClassification: z.optional(permissionDecisionClassification),
    }),
  ])
  .register(protocol, { id: 'PermissionResult', description: 'The answer to a permission request. Closed: what neither allows nor denies is no answer.' });

export const mcpServerProvenance = openObject({
  name: z.string(),
  source: z.string().check(z.describe('Where the server comes from, such as `sdk` for one within the host.')),
}).register(protocol, { id: 'McpServerProvenance', description: 'The MCP server a tool comes from. Trust the source: the name is free to choose.' });
