import * as z from 'zod/mini';
import { mcpServerProvenance, permissionUpdate } from '../permissions.ts';
import { hookInputOf, specificOutputOf } from './base.ts';
import { openEnum, protocol } from '../open.ts';

export const hookPermissionDecision = openEnum(['allow', 'deny', 'ask', 'defer'], {
  id: 'HookPermissionDecision',
  description: 'What a hook decides about a call.',
});

export const postToolBatchToolCall = z
  .looseObject({
    tool_name: z.string(),
    tool_input: z.unknown(),
    tool_use_id: z.string(),
    tool_response: z.optional(z.unknown()),
  })
  .register(protocol, { id: 'PostToolBatchToolCall', description: 'One call of a batch.' });

/** The inputs of the hooks around a tool call. */
export const toolHookInputs = {
  PreToolUse: hookInputOf('PreToolUse', {
    tool_name: z.string(),
    tool_input: z.unknown(),
    tool_use_id: z.string(),
    mcp_server: z.optional(mcpServerProvenance),
  }).register(protocol, {
    id: 'PreToolUseHookInput',
    description: 'A tool is about to be called; the hook may allow, deny, ask, defer, or change the input.',
  }),
  PostToolUse: hookInputOf('PostToolUse', {
    tool_name: z.string(),
    tool_input: z.unknown(),
    tool_response: z.unknown(),
    tool_use_id: z.string(),
    duration_ms: z.optional(z.number()),
    mcp_server: z.optional(mcpServerProvenance),
  }).register(protocol, { id: 'PostToolUseHookInput', description: 'A tool was called and answered.' }),
  PostToolUseFailure: hookInputOf('PostToolUseFailure', {
    tool_name: z.string(),
    tool_input: z.unknown(),
    tool_use_id: z.string(),
    error: z.string(),
    is_interrupt: z.optional(z.boolean()),
    duration_ms: z.optional(z.number()),
    mcp_server: z.optional(mcpServerProvenance),
  }).register(protocol, { id: 'PostToolUseFailureHookInput', description: 'A tool was called and failed.' }),
  PostToolBatch: hookInputOf('PostToolBatch', { tool_calls: z.array(postToolBatchToolCall) }).register(protocol, {
    id: 'PostToolBatchHookInput',
    description: 'All calls of one message were made.',
  }),
  PermissionRequest: hookInputOf('PermissionRequest', {
    tool_name: z.string(),
    tool_input: z.unknown(),
    permission_suggestions: z.optional(z.array(permissionUpdate)),
    mcp_server: z.optional(mcpServerProvenance),
  }).register(protocol, {
    id: 'PermissionRequestHookInput',
    description: 'The agent wants to ask for permission; hook and host are asked at once, and the first answer counts.',
  }),
  PermissionDenied: hookInputOf('PermissionDenied', {
    tool_name: z.string(),
    tool_input: z.unknown(),
    tool_use_id: z.string(),
    reason: z.string(),
    mcp_server: z.optional(mcpServerProvenance),
  }).register(protocol, {
    id: 'PermissionDeniedHookInput',
    description: 'A call was denied without anybody being asked.',
  }),
};

/** The answers of the hooks around a tool call that are particular to their event. */
export const toolHookOutputs = {
  PreToolUse: specificOutputOf('PreToolUse', {
    permissionDecision: z.optional(hookPermissionDecision),
    permissionDecisionReason: z.optional(z.string()),
    updatedInput: z.optional(z.record(z.string(), z.unknown())),
    additionalContext: z.optional(z.string()),
  }).register(protocol, {
    id: 'PreToolUseHookSpecificOutput',
    description: 'What a hook of `PreToolUse` may answer beside the common members.',
  }),
  PostToolUse: specificOutputOf('PostToolUse', {
    additionalContext: z.optional(z.string()),
    classifierContext: z.optional(z.string()),
    updatedToolOutput: z.optional(z.unknown()),
    updatedMCPToolOutput: z.optional(z.unknown()),
  }).register(protocol, {
    id: 'PostToolUseHookSpecificOutput',
    description: 'What a hook of `PostToolUse` may answer beside the common members.',
  }),
  PostToolUseFailure: specificOutputOf('PostToolUseFailure', { additionalContext: z.optional(z.string()) }).register(
    protocol,
    {
      id: 'PostToolUseFailureHookSpecificOutput',
      description: 'What a hook of `PostToolUseFailure` may answer beside the common members.',
    },
  ),
  PostToolBatch: specificOutputOf('PostToolBatch', { additionalContext: z.optional(z.string()) }).register(protocol, {
    id: 'PostToolBatchHookSpecificOutput',
    description: 'What a hook of `PostToolBatch` may answer beside the common members.',
  }),
  PermissionRequest: specificOutputOf('PermissionRequest', {
    decision: z.discriminatedUnion('behavior', [
      z.looseObject({
        behavior: z.literal('allow'),
        updatedInput: z.optional(z.record(z.string(), z.unknown())),
        updatedPermissions: z.optional(z.array(permissionUpdate)),
      }),
      z.looseObject({
        behavior: z.literal('deny'),
        message: z.optional(z.string()),
        interrupt: z.optional(z.boolean()),
      }),
    ]),
  }).register(protocol, {
    id: 'PermissionRequestHookSpecificOutput',
    description: 'What a hook of `PermissionRequest` may answer beside the common members.',
  }),
  PermissionDenied: specificOutputOf('PermissionDenied', { retry: z.optional(z.boolean()) }).register(protocol, {
    id: 'PermissionDeniedHookSpecificOutput',
    description: 'What a hook of `PermissionDenied` may answer beside the common members.',
  }),
};
