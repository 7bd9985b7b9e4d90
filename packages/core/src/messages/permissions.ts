import * as z from 'zod/mini';
import { permissionMode } from './permission-mode.ts';
import { type Infer, lazy, object, openEnum, openUnion, optional } from './schema.ts';

/** Schema of `PermissionBehavior`. */
export const permissionBehavior = lazy(() => openEnum(['allow', 'deny', 'ask']));

/** What a permission rule does with a tool call. */
export type PermissionBehavior = Infer<typeof permissionBehavior>;

/** Schema of `PermissionUpdateDestination`. */
export const permissionUpdateDestination = lazy(() =>
  openEnum(['userSettings', 'projectSettings', 'localSettings', 'session', 'cliArg']),
);

/** Where a change of the rules is kept; `session` ends with the session. */
export type PermissionUpdateDestination = Infer<typeof permissionUpdateDestination>;

/** Schema of `PermissionDecisionClassification`. */
export const permissionDecisionClassification = lazy(() =>
  openEnum(['user_temporary', 'user_permanent', 'user_reject']),
);

/** How the user meant an answer, for the statistics of the agent. */
export type PermissionDecisionClassification = Infer<typeof permissionDecisionClassification>;

/** Schema of `PermissionRuleValue`. */
export const permissionRuleValue = lazy(() =>
  // Some hosts write `null` for no pattern. Typed as the published type is: absent.
  object({ toolName: z.string(), ruleContent: optional(z.nullable(z.string()) as unknown as z.ZodMiniString) }),
);

/** A rule: a tool, and a pattern of its input. */
export type PermissionRuleValue = Infer<typeof permissionRuleValue>;

const ruleChange = <const Type extends string>(type: Type) =>
  object({
    type: z.literal(type),
    rules: z.array(permissionRuleValue()),
    behavior: permissionBehavior(),
    destination: permissionUpdateDestination(),
  });
const directoryChange = <const Type extends string>(type: Type) =>
  object({ type: z.literal(type), directories: z.array(z.string()), destination: permissionUpdateDestination() });

/** Schema of `PermissionUpdate`. */
export const permissionUpdate = lazy(() =>
  openUnion('type', [
    ruleChange('addRules'),
    ruleChange('replaceRules'),
    ruleChange('removeRules'),
    object({ type: z.literal('setMode'), mode: permissionMode(), destination: permissionUpdateDestination() }),
    directoryChange('addDirectories'),
    directoryChange('removeDirectories'),
  ]),
);

/** A change of the permission rules: offered with a request, and sent back with its answer when the user wants it. */
export type PermissionUpdate = Infer<typeof permissionUpdate>;

/** Schema of `PermissionResult`. */
export const permissionResult = lazy(() =>
  z.discriminatedUnion('behavior', [
    object({
      behavior: z.literal('allow'),
      updatedInput: optional(z.record(z.string(), z.unknown())),
      updatedPermissions: optional(z.array(permissionUpdate())),
      toolUseID: optional(z.string()),
      decisionClassification: optional(permissionDecisionClassification()),
    }),
    // Hosts that leave out empty texts send a denial without its message.
    object({
      behavior: z.literal('deny'),
      message: optional(z.string()),
      interrupt: optional(z.boolean()),
      toolUseID: optional(z.string()),
      decisionClassification: optional(permissionDecisionClassification()),
    }),
  ]),
);

/** The answer to a permission request. Closed: what neither allows nor denies is no answer. */
export type PermissionResult = Infer<typeof permissionResult>;

/** Schema of `McpServerProvenance`. */
export const mcpServerProvenance = lazy(() => object({ name: z.string(), source: z.string() }));

/** The MCP server a tool comes from. Trust the source: the name is free to choose. */
export type McpServerProvenance = Infer<typeof mcpServerProvenance>;
