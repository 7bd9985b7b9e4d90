import { mcpServerProvenance, permissionUpdate } from '../permissions.ts';
import { object, optional } from '../object-schema.ts';
import { array, boolean, type Infer, lazy, literal, number, openEnum, record, string, unknown } from '../schema.ts';
import { closedUnion } from '../union-schema.ts';
import { hookInputOf, specificOutputOf } from './base.ts';

/** Schema of `HookPermissionDecision`. */
export const hookPermissionDecision = lazy(() => openEnum(['allow', 'deny', 'ask', 'defer']));

/** What a hook decides about a call. */
export type HookPermissionDecision = Infer<typeof hookPermissionDecision>;

/** Schema of `PostToolBatchToolCall`. */
export const postToolBatchToolCall = lazy(() =>
  object({
    tool_name: string,
    tool_input: unknown,
    tool_use_id: string,
    tool_response: optional(unknown),
  }),
);

/** One call of a batch. */
export type PostToolBatchToolCall = Infer<typeof postToolBatchToolCall>;

/** The inputs of the hooks around a tool call. */
export const toolHookInputs = {
  PreToolUse: lazy(() =>
    hookInputOf('PreToolUse', {
      tool_name: string,
      tool_input: unknown,
      tool_use_id: string,
      mcp_server: optional(mcpServerProvenance),
    }),
  ),
  PostToolUse: lazy(() =>
    hookInputOf('PostToolUse', {
      tool_name: string,
      tool_input: unknown,
      tool_response: unknown,
      tool_use_id: string,
      duration_ms: optional(number),
      mcp_server: optional(mcpServerProvenance),
    }),
  ),
  PostToolUseFailure: lazy(() =>
    hookInputOf('PostToolUseFailure', {
      tool_name: string,
      tool_input: unknown,
      tool_use_id: string,
      error: string,
      is_interrupt: optional(boolean),
      duration_ms: optional(number),
      mcp_server: optional(mcpServerProvenance),
    }),
  ),
  PostToolBatch: lazy(() => hookInputOf('PostToolBatch', { tool_calls: array(postToolBatchToolCall) })),
  PermissionRequest: lazy(() =>
    hookInputOf('PermissionRequest', {
      tool_name: string,
      tool_input: unknown,
      permission_suggestions: optional(array(permissionUpdate)),
      mcp_server: optional(mcpServerProvenance),
    }),
  ),
  PermissionDenied: lazy(() =>
    hookInputOf('PermissionDenied', {
      tool_name: string,
      tool_input: unknown,
      tool_use_id: string,
      reason: string,
      mcp_server: optional(mcpServerProvenance),
    }),
  ),
};

/** The answers of the hooks around a tool call that are particular to their event. */
export const toolHookOutputs = {
  PreToolUse: lazy(() =>
    specificOutputOf('PreToolUse', {
      permissionDecision: optional(hookPermissionDecision),
      permissionDecisionReason: optional(string),
      updatedInput: optional(record(unknown)),
      additionalContext: optional(string),
    }),
  ),
  PostToolUse: lazy(() =>
    specificOutputOf('PostToolUse', {
      additionalContext: optional(string),
      classifierContext: optional(string),
      updatedToolOutput: optional(unknown),
      updatedMCPToolOutput: optional(unknown),
    }),
  ),
  PostToolUseFailure: lazy(() => specificOutputOf('PostToolUseFailure', { additionalContext: optional(string) })),
  PostToolBatch: lazy(() => specificOutputOf('PostToolBatch', { additionalContext: optional(string) })),
  PermissionRequest: lazy(() =>
    specificOutputOf('PermissionRequest', {
      decision: closedUnion('behavior', {
        allow: object({
          behavior: literal('allow'),
          updatedInput: optional(record(unknown)),
          updatedPermissions: optional(array(permissionUpdate)),
        }),
        deny: object({ behavior: literal('deny'), message: optional(string), interrupt: optional(boolean) }),
      }),
    }),
  ),
  PermissionDenied: lazy(() => specificOutputOf('PermissionDenied', { retry: optional(boolean) })),
};

/** A tool is about to be called; the hook may allow, deny, ask, defer, or change the input. */
export type PreToolUseHookInput = Infer<typeof toolHookInputs.PreToolUse>;

/** A tool was called and answered. */
export type PostToolUseHookInput = Infer<typeof toolHookInputs.PostToolUse>;

/** A tool was called and failed. */
export type PostToolUseFailureHookInput = Infer<typeof toolHookInputs.PostToolUseFailure>;

/** All calls of one message were made. */
export type PostToolBatchHookInput = Infer<typeof toolHookInputs.PostToolBatch>;

/** The agent wants to ask for permission; hook and host are asked at once, and the first answer counts. */
export type PermissionRequestHookInput = Infer<typeof toolHookInputs.PermissionRequest>;

/** A call was denied without anybody being asked. */
export type PermissionDeniedHookInput = Infer<typeof toolHookInputs.PermissionDenied>;

/** What a hook of `PreToolUse` may answer beside the common members. */
export type PreToolUseHookSpecificOutput = Infer<typeof toolHookOutputs.PreToolUse>;

/** What a hook of `PostToolUse` may answer beside the common members. */
export type PostToolUseHookSpecificOutput = Infer<typeof toolHookOutputs.PostToolUse>;

/** What a hook of `PostToolUseFailure` may answer beside the common members. */
export type PostToolUseFailureHookSpecificOutput = Infer<typeof toolHookOutputs.PostToolUseFailure>;

/** What a hook of `PostToolBatch` may answer beside the common members. */
export type PostToolBatchHookSpecificOutput = Infer<typeof toolHookOutputs.PostToolBatch>;

/** What a hook of `PermissionRequest` may answer beside the common members. */
export type PermissionRequestHookSpecificOutput = Infer<typeof toolHookOutputs.PermissionRequest>;

/** What a hook of `PermissionDenied` may answer beside the common members. */
export type PermissionDeniedHookSpecificOutput = Infer<typeof toolHookOutputs.PermissionDenied>;
