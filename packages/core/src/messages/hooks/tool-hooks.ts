import * as z from 'zod/mini';
import { mcpServerProvenance, permissionUpdate } from '../permissions.ts';
import { type Infer, lazy, object, openEnum, optional } from '../schema.ts';
import { hookInputOf, specificOutputOf } from './base.ts';

/** Schema of `HookPermissionDecision`. */
export const hookPermissionDecision = lazy(() => openEnum(['allow', 'deny', 'ask', 'defer']));

/** What a hook decides about a call. */
export type HookPermissionDecision = Infer<typeof hookPermissionDecision>;

/** Schema of `PostToolBatchToolCall`. */
export const postToolBatchToolCall = lazy(() =>
  object({
    tool_name: z.string(),
    tool_input: z.unknown(),
    tool_use_id: z.string(),
    tool_response: optional(z.unknown()),
  }),
);

/** One call of a batch. */
export type PostToolBatchToolCall = Infer<typeof postToolBatchToolCall>;

/** The inputs of the hooks around a tool call. */
export const toolHookInputs = {
  PreToolUse: lazy(() =>
    hookInputOf('PreToolUse', {
      tool_name: z.string(),
      tool_input: z.unknown(),
      tool_use_id: z.string(),
      mcp_server: optional(mcpServerProvenance()),
    }),
  ),
  PostToolUse: lazy(() =>
    hookInputOf('PostToolUse', {
      tool_name: z.string(),
      tool_input: z.unknown(),
      tool_response: z.unknown(),
      tool_use_id: z.string(),
      duration_ms: optional(z.number()),
      mcp_server: optional(mcpServerProvenance()),
    }),
  ),
  PostToolUseFailure: lazy(() =>
    hookInputOf('PostToolUseFailure', {
      tool_name: z.string(),
      tool_input: z.unknown(),
      tool_use_id: z.string(),
      error: z.string(),
      is_interrupt: optional(z.boolean()),
      duration_ms: optional(z.number()),
      mcp_server: optional(mcpServerProvenance()),
    }),
  ),
  PostToolBatch: lazy(() => hookInputOf('PostToolBatch', { tool_calls: z.array(postToolBatchToolCall()) })),
  PermissionRequest: lazy(() =>
    hookInputOf('PermissionRequest', {
      tool_name: z.string(),
      tool_input: z.unknown(),
      permission_suggestions: optional(z.array(permissionUpdate())),
      mcp_server: optional(mcpServerProvenance()),
    }),
  ),
  PermissionDenied: lazy(() =>
    hookInputOf('PermissionDenied', {
      tool_name: z.string(),
      tool_input: z.unknown(),
      tool_use_id: z.string(),
      reason: z.string(),
      mcp_server: optional(mcpServerProvenance()),
    }),
  ),
};

/** The answers of the hooks around a tool call that are particular to their event. */
export const toolHookOutputs = {
  PreToolUse: lazy(() =>
    specificOutputOf('PreToolUse', {
      permissionDecision: optional(hookPermissionDecision()),
      permissionDecisionReason: optional(z.string()),
      updatedInput: optional(z.record(z.string(), z.unknown())),
      additionalContext: optional(z.string()),
    }),
  ),
  PostToolUse: lazy(() =>
    specificOutputOf('PostToolUse', {
      additionalContext: optional(z.string()),
      classifierContext: optional(z.string()),
      updatedToolOutput: optional(z.unknown()),
      updatedMCPToolOutput: optional(z.unknown()),
    }),
  ),
  PostToolUseFailure: lazy(() => specificOutputOf('PostToolUseFailure', { additionalContext: optional(z.string()) })),
  PostToolBatch: lazy(() => specificOutputOf('PostToolBatch', { additionalContext: optional(z.string()) })),
  PermissionRequest: lazy(() =>
    specificOutputOf('PermissionRequest', {
      decision: z.discriminatedUnion('behavior', [
        object({
          behavior: z.literal('allow'),
          updatedInput: optional(z.record(z.string(), z.unknown())),
          updatedPermissions: optional(z.array(permissionUpdate())),
        }),
        object({ behavior: z.literal('deny'), message: optional(z.string()), interrupt: optional(z.boolean()) }),
      ]),
    }),
  ),
  PermissionDenied: lazy(() => specificOutputOf('PermissionDenied', { retry: optional(z.boolean()) })),
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
