import * as z from 'zod/mini';
import { mcpServerProvenance, permissionUpdate } from '../permissions.ts';
import { additionalContext, hookInputOf, specificOutputOf } from './base.ts';
import { openEnum, openObject, protocol } from '../open.ts';

export const hookPermissionDecision = openEnum(['allow', 'deny', 'ask', 'defer'], {
  id: 'HookPermissionDecision',
  description: 'The decision of a hook about a tool call.',
});

export const postToolBatchToolCall = openObject({
  tool_name: z.string(),
  tool_input: z.unknown().check(z.describe('The input of the tool call. Its shape depends on the tool.')),
  tool_use_id: z.string(),
  tool_response: z
    .optional(z.unknown())
    .check(z.describe('The result that the model reads. It differs from `tool_response` of `PostToolUse`, which is the output of the tool.')),
}).register(protocol, { id: 'PostToolBatchToolCall', description: 'One tool call of a batch.' });

const ofTool = {
  tool_name: z
    .string()
    .check(z.describe('The name of the tool; `mcp__SERVER__TOOL` for a tool of an MCP server. Matchers of hooks are compared with this value.')),
  tool_input: z.unknown().check(z.describe('The input of the tool call. Its shape depends on the tool.')),
  mcp_server: z.optional(mcpServerProvenance).check(z.describe('The MCP server of the tool; absent for tools of the agent.')),
};
const duration = z.optional(z.number()).check(z.describe('How long the tool ran, in milliseconds, without the time for permissions and hooks.'));
const ofCall = { ...ofTool, tool_use_id: z.string() };

/** The inputs of the hooks around a tool call. */
export const toolHookInputs = {
  PreToolUse: hookInputOf(
    'PreToolUse',
    'The agent is about to call a tool. The hook may allow, deny or defer the call, have the user asked, or change the input.',
    ofCall,
  ),
  PostToolUse: hookInputOf('PostToolUse', 'A tool call has succeeded.', {
    ...ofCall,
    tool_response: z.unknown().check(z.describe('The output of the tool, usually an object. Its shape depends on the tool.')),
    duration_ms: duration,
  }),
  PostToolUseFailure: hookInputOf('PostToolUseFailure', 'A tool call has failed.', {
    ...ofCall,
    error: z.string().check(z.describe('What went wrong.')),
    is_interrupt: z.optional(z.boolean()).check(z.describe('True if the user interrupted the call.')),
    duration_ms: duration,
  }),
  PostToolBatch: hookInputOf('PostToolBatch', 'All tool calls of one message have ended.', { tool_calls: z.array(postToolBatchToolCall) }),
  PermissionRequest: hookInputOf(
    'PermissionRequest',
    'The agent asks for permission. It asks the hook and the host at the same time, and the first answer counts.',
    {
      ...ofTool,
      permission_suggestions: z
        .optional(z.array(permissionUpdate))
        .check(z.describe('Changes of the permission rules to offer to the user. Send the chosen changes back as `updatedPermissions`.')),
    },
  ),
  PermissionDenied: hookInputOf('PermissionDenied', 'A tool call was denied, and nobody was asked.', { ...ofCall, reason: z.string() }),
  PreSkillShellCommand: hookInputOf(
    'PreSkillShellCommand',
    'A skill or a slash command is being loaded, and the agent is about to run a shell command that its text contains. The hook may refuse the command.',
    {
      tool_name: z.string().check(z.describe('The shell tool that runs the command, such as `Bash`. Matchers of hooks are compared with this value.')),
      tool_input: openObject({ command: z.string().check(z.describe('The command with the arguments filled in.')) }),
      tool_use_id: z.string().check(z.describe('The id of this command. No tool call of the conversation has this id.')),
      command_name: z.string().check(z.describe('The name of the skill or slash command.')),
      command_source: z.optional(z.string()).check(z.describe('Where the skill or slash command comes from.')),
      invoked_by: openEnum(['user', 'claude', 'other']).check(
        z.describe('Who started the skill or slash command: the user or the host, the model, or something else, such as a subagent.'),
      ),
    },
  ),
};

/** The answers of the hooks around a tool call that are particular to their event. */
export const toolHookOutputs = {
  PreToolUse: specificOutputOf('PreToolUse', {
    permissionDecision: z
      .optional(hookPermissionDecision)
      .check(z.describe('The decision. If several hooks decide, the strictest decision counts, in the order deny, defer, ask, allow.')),
    permissionDecisionReason: z.optional(z.string()).check(z.describe('The reason. The model reads it if the call is denied; otherwise the user reads it.')),
    updatedInput: z.optional(z.record(z.string(), z.unknown())).check(z.describe('The complete new input for the tool call.')),
    ...additionalContext('Text for the model, added to the result of the call.'),
  }),
  PostToolUse: specificOutputOf('PostToolUse', {
    ...additionalContext('Text for the model, added to the result of the call.'),
    classifierContext: z.optional(z.string()).check(z.describe('Text for the classifier that checks tool calls; at most 2000 UTF-16 units.')),
    updatedToolOutput: z
      .optional(z.unknown())
      .check(
        z.describe('The output that the model reads instead. For a built-in tool it must have the shape of the output of that tool; otherwise it is ignored.'),
      ),
    updatedMCPToolOutput: z.optional(z.unknown()).check(z.describe('Deprecated: use `updatedToolOutput`. Applies to tools of MCP servers only.')),
  }),
  PostToolUseFailure: specificOutputOf('PostToolUseFailure', additionalContext('Text for the model, added to the error.')),
  PostToolBatch: specificOutputOf('PostToolBatch', additionalContext('Text for the model, which reads it before it continues.')),
  PermissionRequest: specificOutputOf('PermissionRequest', {
    decision: z
      .discriminatedUnion('behavior', [
        openObject({
          behavior: z.literal('allow'),
          updatedInput: z.optional(z.record(z.string(), z.unknown())).check(z.describe('The complete new input for the tool call.')),
          updatedPermissions: z.optional(z.array(permissionUpdate)).check(z.describe('Changes of the permission rules to apply.')),
        }),
        openObject({
          behavior: z.literal('deny'),
          message: z.optional(z.string()).check(z.describe('Why the call is denied, as text for the model.')),
          interrupt: z.optional(z.boolean()).check(z.describe('If true, the whole turn ends.')),
        }),
      ])
      .check(z.describe('The answer in place of the user. `allow` does not override rules that deny.')),
  }),
  PermissionDenied: specificOutputOf('PermissionDenied', {
    retry: z.optional(z.boolean()).check(z.describe('If true, the agent informs the model that it may try the call again. This call stays denied.')),
  }),
  PreSkillShellCommand: specificOutputOf('PreSkillShellCommand', {
    permissionDecision: z
      .optional(hookPermissionDecision)
      .check(z.describe('`allow` has no effect. Every other decision prevents the command from running; the user is not asked.')),
    permissionDecisionReason: z.optional(z.string()).check(z.describe('Why the command is refused.')),
    updatedInput: z
      .optional(z.record(z.string(), z.unknown()))
      .check(z.describe('A hook cannot change the command: if this member is present, the command does not run.')),
  }),
};
