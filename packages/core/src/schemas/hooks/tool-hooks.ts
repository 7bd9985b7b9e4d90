import * as z from 'zod/mini';
import { mcpServerProvenance, permissionUpdate } from '../permissions.ts';
import { additionalContext, hookInputOf, specificOutputOf } from './base.ts';
import { openEnum, openObject, protocol } from '../open.ts';

export const hookPermissionDecision = openEnum(['allow', 'deny', 'ask', 'defer'], {
  id: 'HookPermissionDecision',
  description: 'What a hook decides about a call.',
});

export const postToolBatchToolCall = openObject({
  tool_name: z.string(),
  tool_input: z.unknown().check(z.describe('What the tool was called with; the shape depends on the tool.')),
  tool_use_id: z.string(),
  tool_response: z.optional(z.unknown()).check(z.describe('What the model reads as the result, other than the `tool_response` of `PostToolUse`.')),
}).register(protocol, { id: 'PostToolBatchToolCall', description: 'One call of a batch.' });

const ofTool = {
  tool_name: z.string().check(z.describe('The tool, `mcp__SERVER__TOOL` for one of an MCP server; a matcher is compared with it.')),
  tool_input: z.unknown().check(z.describe('What the tool is called with; the shape depends on the tool.')),
  mcp_server: z.optional(mcpServerProvenance).check(z.describe('The MCP server of the tool; absent for tools of the agent.')),
};
const duration = z.optional(z.number()).check(z.describe('How long the tool ran, in ms, without the time for permissions and hooks.'));
const ofCall = { ...ofTool, tool_use_id: z.string() };

/** The inputs of the hooks around a tool call. */
export const toolHookInputs = {
  PreToolUse: hookInputOf('PreToolUse', 'A tool is about to be called; the hook may allow, deny, ask, defer, or change the input.', ofCall),
  PostToolUse: hookInputOf('PostToolUse', 'A tool was called and answered.', {
    ...ofCall,
    tool_response: z.unknown().check(z.describe('What the tool gave, mostly an object; the shape depends on the tool.')),
    duration_ms: duration,
  }),
  PostToolUseFailure: hookInputOf('PostToolUseFailure', 'A tool was called and failed.', {
    ...ofCall,
    error: z.string().check(z.describe('What went wrong.')),
    is_interrupt: z.optional(z.boolean()).check(z.describe('True where the user interrupted the call.')),
    duration_ms: duration,
  }),
  PostToolBatch: hookInputOf('PostToolBatch', 'All calls of one message were made.', { tool_calls: z.array(postToolBatchToolCall) }),
  PermissionRequest: hookInputOf('PermissionRequest', 'The agent wants to ask for permission; hook and host are asked at once, and the first answer counts.', {
    ...ofTool,
    permission_suggestions: z
      .optional(z.array(permissionUpdate))
      .check(z.describe('Changes of the rules that the user is offered; those wanted go back as `updatedPermissions`.')),
  }),
  PermissionDenied: hookInputOf('PermissionDenied', 'A call was denied without anybody being asked.', { ...ofCall, reason: z.string() }),
};

/** The answers of the hooks around a tool call that are particular to their event. */
export const toolHookOutputs = {
  PreToolUse: specificOutputOf('PreToolUse', {
    permissionDecision: z
      .optional(hookPermissionDecision)
      .check(z.describe('Of several decisions the strictest counts, in the order deny, defer, ask, allow.')),
    permissionDecisionReason: z.optional(z.string()).check(z.describe('Read by the model where the call is denied, else by the user.')),
    updatedInput: z.optional(z.record(z.string(), z.unknown())).check(z.describe('The whole input to call the tool with instead.')),
    ...additionalContext('Text that the model is given along with the result of the call.'),
  }),
  PostToolUse: specificOutputOf('PostToolUse', {
    ...additionalContext('Text that the model is given along with the result of the call.'),
    classifierContext: z.optional(z.string()).check(z.describe('Text for the classifier that judges tool calls; at most 2000 UTF-16 units.')),
    updatedToolOutput: z
      .optional(z.unknown())
      .check(z.describe('What the model reads in place of the output; for built-in tools it must have the shape of their output, or is ignored.')),
    updatedMCPToolOutput: z.optional(z.unknown()).check(z.describe('Deprecated: `updatedToolOutput`, for tools of MCP servers only.')),
  }),
  PostToolUseFailure: specificOutputOf('PostToolUseFailure', additionalContext('Text that the model is given along with the error.')),
  PostToolBatch: specificOutputOf('PostToolBatch', additionalContext('Text that the model is given before it goes on.')),
  PermissionRequest: specificOutputOf('PermissionRequest', {
    decision: z
      .discriminatedUnion('behavior', [
        openObject({
          behavior: z.literal('allow'),
          updatedInput: z.optional(z.record(z.string(), z.unknown())).check(z.describe('The whole input to call the tool with instead.')),
          updatedPermissions: z.optional(z.array(permissionUpdate)).check(z.describe('Changes of the rules to apply as well.')),
        }),
        openObject({
          behavior: z.literal('deny'),
          message: z.optional(z.string()).check(z.describe('Why, for the model to read.')),
          interrupt: z.optional(z.boolean()).check(z.describe('With true the whole turn ends.')),
        }),
      ])
      .check(z.describe('The answer for the user; to allow does not outweigh rules that deny.')),
  }),
  PermissionDenied: specificOutputOf('PermissionDenied', {
    retry: z.optional(z.boolean()).check(z.describe('With true the model is told that it may try the call again; the denial stays.')),
  }),
};
