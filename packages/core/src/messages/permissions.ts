import { permissionMode } from './permission-mode.ts';
import { object, optional } from './object-schema.ts';
import {
  array,
  boolean,
  type Infer,
  lazy,
  type LazySchema,
  literal,
  nullable,
  openEnum,
  record,
  type SchemaOf,
  string,
  unknown,
} from './schema.ts';
import { closedUnion, openUnion } from './union-schema.ts';

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
  object({ toolName: string, ruleContent: optional(nullable(string) as unknown as LazySchema<SchemaOf<string>>) }),
);

/** A rule: a tool, and a pattern of its input. */
export type PermissionRuleValue = Infer<typeof permissionRuleValue>;

const ruleChange = <const Type extends string>(type: Type) =>
  object({
    type: literal(type),
    rules: array(permissionRuleValue),
    behavior: permissionBehavior,
    destination: permissionUpdateDestination,
  });
const directoryChange = <const Type extends string>(type: Type) =>
  object({ type: literal(type), directories: array(string), destination: permissionUpdateDestination });

/** Schema of `PermissionUpdate`. */
export const permissionUpdate = lazy(() =>
  openUnion('type', {
    addRules: ruleChange('addRules'),
    replaceRules: ruleChange('replaceRules'),
    removeRules: ruleChange('removeRules'),
    setMode: object({ type: literal('setMode'), mode: permissionMode, destination: permissionUpdateDestination }),
    addDirectories: directoryChange('addDirectories'),
    removeDirectories: directoryChange('removeDirectories'),
  }),
);

/** A change of the permission rules: offered with a request, and sent back with its answer when the user wants it. */
export type PermissionUpdate = Infer<typeof permissionUpdate>;

/** Schema of `PermissionResult`. */
export const permissionResult = lazy(() =>
  closedUnion('behavior', {
    allow: object({
      behavior: literal('allow'),
      updatedInput: optional(record(unknown)),
      updatedPermissions: optional(array(permissionUpdate)),
      toolUseID: optional(string),
      decisionClassification: optional(permissionDecisionClassification),
    }),
    // Hosts that leave out empty texts send a denial without its message.
    deny: object({
      behavior: literal('deny'),
      message: optional(string),
      interrupt: optional(boolean),
      toolUseID: optional(string),
      decisionClassification: optional(permissionDecisionClassification),
    }),
  }),
);

/** The answer to a permission request. Closed: what neither allows nor denies is no answer. */
export type PermissionResult = Infer<typeof permissionResult>;

/** Schema of `McpServerProvenance`. */
export const mcpServerProvenance = lazy(() => object({ name: string, source: string }));

/** The MCP server a tool comes from. Trust the source: the name is free to choose. */
export type McpServerProvenance = Infer<typeof mcpServerProvenance>;
