import * as z from 'zod/mini';
import { mcpServerProvenance, permissionUpdate } from '../permissions.ts';
import { additionalContext, hookInputOf, specificOutputOf } from './base.ts';
import { openEnum, openObject, protocol } from '../open.ts';

export const hookPermissionDecision = openEnum(['allow', 'deny', 'ask', 'defer'], {
  id: 'HookPermissionDecision',
  description: "A hook's decision about a tool call.",
});

export const postToolBatchToolCall = openObject({
  tool_name: z.string(),
  tool_input: z.unknown().check(z.describe('The input of the tool call. The shape of the input depends on the tool.')),
  tool_use_id: z.string(),
  tool_response: z
    .optional(z.unknown())
    .check(z.describe('The result that the model reads. In `PostToolUse`, by contrast, `tool_response` is the output of the tool.')),
}).register(protocol, { id: 'PostToolBatchToolCall', description: 'One tool call of a batch.' });

const ofTool = {
  tool_name: z
    .string()
    .check(z.describe('The name of the tool. `mcp__SERVER__TOOL` for a tool of an MCP server. The matchers of hooks are compared with this value.')),
  tool_input: z.unknown().check(z.describe('The input of the tool call. The shape of the input depends on the tool.')),
  mcp_server: z.optional(mcpServerProvenance).check(z.describe("The MCP server of the tool. Absent for the agent's own tools.")),
};
const duration = z.optional(z.number()).check(z.describe('How long the tool ran, in milliseconds. Does not include the time for permissions and hooks.'));
const ofCall = { ...ofTool, tool_use_id: z.string() };

/** The inputs of the hooks for tool calls. */
export const toolHookInputs = {
  PreToolUse: hookInputOf(
    'PreToolUse',
    "The agent is about to call a tool. The hook may allow, deny or defer the call, require the user's approval, or change the input.",
    ofCall,
  ),
  PostToolUse: hookInputOf('PostToolUse', 'A tool call has succeeded.', {
    ...ofCall,
    tool_response: z.unknown().check(z.describe('The output of the tool, usually an object. The shape of the output depends on the tool.')),
    duration_ms: duration,
  }),
  PostToolUseFailure: hookInputOf('PostToolUseFailure', 'A tool call has failed.', {
    ...ofCall,
    error: z.string().check(z.describe('The error message.')),
    is_interrupt: z.optional(z.boolean()).check(z.describe('True if the user interrupted the call.')),
    duration_ms: duration,
  }),
  PostToolBatch: hookInputOf('PostToolBatch', 'All tool calls of one message have ended.', { tool_calls: z.array(postToolBatchToolCall) }),
  PermissionRequest: hookInputOf(
    'PermissionRequest',
    'The agent asks for permission. It asks the hook and the host at the same time, and uses the first answer.',
    {
      ...ofTool,
      permission_suggestions: z
        .optional(z.array(permissionUpdate))
        .check(z.describe('Changes to the permission rules that the host may offer to the user. Send the chosen changes back as `updatedPermissions`.')),
    },
  ),
  PermissionDenied: hookInputOf('PermissionDenied', 'A tool call was denied without asking anyone.', { ...ofCall, reason: z.string() }),
  PreSkillShellCommand: hookInputOf(
    'PreSkillShellCommand',
    'A skill or a slash command is being loaded, and the agent is about to run a shell command contained in its text. The hook may refuse the command.',
    {
      tool_name: z.string().check(z.describe('The shell tool that runs the command, such as `Bash`. The matchers of hooks are compared with this value.')),
      tool_input: openObject({ command: z.string().check(z.describe('The command with the arguments filled in.')) }),
      tool_use_id: z.string().check(z.describe('The id of this command. No tool call in the conversation has this id.')),
      command_name: z.string().check(z.describe('The name of the skill or slash command.')),
      command_source: z.optional(z.string()).check(z.describe('Where the skill or slash command comes from.')),
      invoked_by: openEnum(['user', 'claude', 'other']).check(
        z.describe('Who started the skill or slash command: the user or the host, the model, or something else, such as a subagent.'),
      ),
    },
  ),
};

/** The event-specific answer members of the hooks for tool calls. */
export const toolHookOutputs = {
  PreToolUse: specificOutputOf('PreToolUse', {
    permissionDecision: z
      .optional(hookPermissionDecision)
      .check(
        z.describe(
          'The decision. If several hooks decide, the strictest decision is used. The order from strict to lenient is `deny`, `defer`, `ask`, `allow`.',
        ),
      ),
    permissionDecisionReason: z
      .optional(z.string())
      .check(z.describe('The reason for the decision. If the call is denied, the model reads the reason. Otherwise, the user reads it.')),
    updatedInput: z.optional(z.record(z.string(), z.unknown())).check(z.describe('The complete new input for the tool call.')),
    ...additionalContext('Text for the model, which is added to the result of the call.'),
  }),
  PostToolUse: specificOutputOf('PostToolUse', {
    ...additionalContext('Text for the model, which is added to the result of the call.'),
    classifierContext: z.optional(z.string()).check(z.describe('Text for the classifier that checks tool calls, at most 2000 UTF-16 units.')),
    updatedToolOutput: z
      .optional(z.unknown())
      .check(
        z.describe(
          "The output that the model reads instead of the tool's output. For a built-in tool, this output must have the same shape as the tool's output. Otherwise it is ignored.",
        ),
      ),
    updatedMCPToolOutput: z
      .optional(z.unknown())
      .check(z.describe('Deprecated. Use `updatedToolOutput` instead. This member applies only to tools of MCP servers.')),
  }),
  PostToolUseFailure: specificOutputOf('PostToolUseFailure', additionalContext('Text for the model, which is added to the error.')),
  PostToolBatch: specificOutputOf('PostToolBatch', additionalContext('Text that the model reads before it continues.')),
  PermissionRequest: specificOutputOf('PermissionRequest', {
    decision: z
      .discriminatedUnion('behavior', [
        openObject({
          behavior: z.literal('allow'),
          updatedInput: z.optional(z.record(z.string(), z.unknown())).check(z.describe('The complete new input for the tool call.')),
          updatedPermissions: z.optional(z.array(permissionUpdate)).check(z.describe('Changes to the permission rules to apply.')),
        }),
        openObject({
          behavior: z.literal('deny'),
          message: z.optional(z.string()).check(z.describe('Why the call is denied, as text for the model.')),
          interrupt: z.optional(z.boolean()).check(z.describe('If true, the whole turn ends.')),
        }),
      ])
      .check(z.describe("The answer that is used in place of the user's answer. `allow` does not override rules that deny the call.")),
  }),
  PermissionDenied: specificOutputOf('PermissionDenied', {
    retry: z.optional(z.boolean()).check(z.describe('If true, the agent informs the model that it may retry the call. The denied call itself stays denied.')),
  }),
  PreSkillShellCommand: specificOutputOf('PreSkillShellCommand', {
    permissionDecision: z
      .optional(hookPermissionDecision)
      .check(z.describe('The decision. `allow` has no effect. Any other decision prevents the command from running, without asking the user.')),
    permissionDecisionReason: z.optional(z.string()).check(z.describe('Why the command is refused.')),
    updatedInput: z
      .optional(z.record(z.string(), z.unknown()))
      .check(z.describe('A hook cannot change the command. If this member is present, the command does not run.')),
  }),
};
