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
    tool_input: z.unknown().check(z.describe('What the tool was called with; the shape depends on the tool.')),
    tool_use_id: z.string(),
    tool_response: z.optional(z.unknown()).check(z.describe('What the model reads as the result, other than the `tool_response` of `PostToolUse`.')),
  })
  .register(protocol, { id: 'PostToolBatchToolCall', description: 'One call of a batch.' });

/** The inputs of the hooks around a tool call. */
export const toolHookInputs = {
  PreToolUse: hookInputOf('PreToolUse', {
    tool_name: z.string().check(z.describe('The tool, `mcp__SERVER__TOOL` for one of an MCP server; a matcher is compared with it.')),
    tool_input: z.unknown().check(z.describe('What the tool is called with; the shape depends on the tool.')),
    tool_use_id: z.string(),
    mcp_server: z.optional(mcpServerProvenance).check(z.describe('The MCP server of the tool; absent for tools of the agent.')),
  }).register(protocol, { id: 'PreToolUseHookInput', description: 'A tool is about to be called; the hook may allow, deny, ask, defer, or change the input.' }),
  PostToolUse: hookInputOf('PostToolUse', {
    tool_name: z.string().check(z.describe('The tool, `mcp__SERVER__TOOL` for one of an MCP server; a matcher is compared with it.')),
    tool_input: z.unknown().check(z.describe('What the tool was called with; the shape depends on the tool.')),
    tool_response: z.unknown().check(z.describe('What the tool gave, mostly an object; the shape depends on the tool.')),
    tool_use_id: z.string(),
    duration_ms: z.optional(z.number()).check(z.describe('How long the tool ran, in ms, without the time for permissions and hooks.')),
    mcp_server: z.optional(mcpServerProvenance).check(z.describe('The MCP server of the tool; absent for tools of the agent.')),
  }).register(protocol, { id: 'PostToolUseHookInput', description: 'A tool was called and answered.' }),
  PostToolUseFailure: hookInputOf('PostToolUseFailure', {
    tool_name: z.string().check(z.describe('The tool, `mcp__SERVER__TOOL` for one of an MCP server; a matcher is compared with it.')),
    tool_input: z.unknown().check(z.describe('What the tool was called with; the shape depends on the tool.')),
    tool_use_id: z.string(),
    error: z.string().check(z.describe('What went wrong.')),
    is_interrupt: z.optional(z.boolean()).check(z.describe('True where the user interrupted the call.')),
    duration_ms: z.optional(z.number()).check(z.describe('How long the tool ran, in ms, without the time for permissions and hooks.')),
    mcp_server: z.optional(mcpServerProvenance).check(z.describe('The MCP server of the tool; absent for tools of the agent.')),
  }).register(protocol, { id: 'PostToolUseFailureHookInput', description: 'A tool was called and failed.' }),
  PostToolBatch: hookInputOf('PostToolBatch', { tool_calls: z.array(postToolBatchToolCall) }).register(protocol, {
    id: 'PostToolBatchHookInput',
    description: 'All calls of one message were made.',
  }),
  PermissionRequest: hookInputOf('PermissionRequest', {
    tool_name: z.string().check(z.describe('The tool, `mcp__SERVER__TOOL` for one of an MCP server; a matcher is compared with it.')),
    tool_input: z.unknown().check(z.describe('What the tool is called with; the shape depends on the tool.')),
    permission_suggestions: z
      .optional(z.array(permissionUpdate))
      .check(z.describe('Changes of the rules that the user is offered; those wanted go back as `updatedPermissions`.')),
    mcp_server: z.optional(mcpServerProvenance).check(z.describe('The MCP server of the tool; absent for tools of the agent.')),
  }).register(protocol, {
    id: 'PermissionRequestHookInput',
    description: 'The agent wants to ask for permission; hook and host are asked at once, and the first answer counts.',
  }),
  PermissionDenied: hookInputOf('PermissionDenied', {
    tool_name: z.string().check(z.describe('The tool, `mcp__SERVER__TOOL` for one of an MCP server; a matcher is compared with it.')),
    tool_input: z.unknown().check(z.describe('What the tool is called with; the shape depends on the tool.')),
    tool_use_id: z.string(),
    reason: z.string(),
    mcp_server: z.optional(mcpServerProvenance).check(z.describe('The MCP server of the tool; absent for tools of the agent.')),
  }).register(protocol, { id: 'PermissionDeniedHookInput', description: 'A call was denied without anybody being asked.' }),
};

/** The answers of the hooks around a tool call that are particular to their event. */
export const toolHookOutputs = {
  PreToolUse: specificOutputOf('PreToolUse', {
    permissionDecision: z
      .optional(hookPermissionDecision)
      .check(z.describe('Where several hooks decide, the strictest counts, in the order deny, defer, ask, allow.')),
    permissionDecisionReason: z
      .optional(z.string())
      .check(z.describe('Read by the model where the call is denied, by the user where it is allowed or asked for.')),
    updatedInput: z.optional(z.record(z.string(), z.unknown())).check(z.describe('The whole input to call the tool with instead.')),
    additionalContext: z.optional(z.string()).check(z.describe('Text that the model is given along with the result of the call.')),
  }).register(protocol, { id: 'PreToolUseHookSpecificOutput', description: 'What a hook of `PreToolUse` may answer beside the common members.' }),
  PostToolUse: specificOutputOf('PostToolUse', {
    additionalContext: z.optional(z.string()).check(z.describe('Text that the model is given along with the result of the call.')),
    classifierContext: z.optional(z.string()).check(z.describe('Text for the classifier that judges tool calls; at most 2000 UTF-16 units.')),
    updatedToolOutput: z
      .optional(z.unknown())
      .check(z.describe('What the model reads in place of the output; for built-in tools it must have the shape of their output, or is ignored.')),
    updatedMCPToolOutput: z.optional(z.unknown()).check(z.describe('Deprecated: `updatedToolOutput`, for tools of MCP servers only.')),
  }).register(protocol, { id: 'PostToolUseHookSpecificOutput', description: 'What a hook of `PostToolUse` may answer beside the common members.' }),
  PostToolUseFailure: specificOutputOf('PostToolUseFailure', {
    additionalContext: z.optional(z.string()).check(z.describe('Text that the model is given along with the error.')),
  }).register(protocol, {
    id: 'PostToolUseFailureHookSpecificOutput',
    description: 'What a hook of `PostToolUseFailure` may answer beside the common members.',
  }),
  PostToolBatch: specificOutputOf('PostToolBatch', {
    additionalContext: z.optional(z.string()).check(z.describe('Text that the model is given before it goes on.')),
  }).register(protocol, { id: 'PostToolBatchHookSpecificOutput', description: 'What a hook of `PostToolBatch` may answer beside the common members.' }),
  PermissionRequest: specificOutputOf('PermissionRequest', {
    decision: z
      .discriminatedUnion('behavior', [
        z.looseObject({
          behavior: z.literal('allow'),
          updatedInput: z.optional(z.record(z.string(), z.unknown())).check(z.describe('The whole input to call the tool with instead.')),
          updatedPermissions: z.optional(z.array(permissionUpdate)).check(z.describe('Changes of the rules to apply as well.')),
        }),
        z.looseObject({
          behavior: z.literal('deny'),
          message: z.optional(z.string()).check(z.describe('Why, for the model to read.')),
          interrupt: z.optional(z.boolean()).check(z.describe('With true the whole turn ends.')),
        }),
      ])
      .check(z.describe('The answer for the user; to allow does not outweigh rules that deny.')),
  }).register(protocol, { id: 'PermissionRequestHookSpecificOutput', description: 'What a hook of `PermissionRequest` may answer beside the common members.' }),
  PermissionDenied: specificOutputOf('PermissionDenied', {
    retry: z.optional(z.boolean()).check(z.describe('With true the model is told that it may try the call again; the denial stays.')),
  }).register(protocol, { id: 'PermissionDeniedHookSpecificOutput', description: 'What a hook of `PermissionDenied` may answer beside the common members.' }),
};
