import * as z from 'zod/mini';
import { openEnum, openObject, openUnion, protocol } from '../open.ts';
import { promptHookInputs, promptHookOutputs } from './prompt-hooks.ts';
import { sessionHookInputs, sessionHookOutputs } from './session-hooks.ts';
import { stopHookInputs, stopHookOutputs } from './stop-hooks.ts';
import { toolHookInputs, toolHookOutputs } from './tool-hooks.ts';
import { workspaceHookInputs, workspaceHookOutputs } from './workspace-hooks.ts';

/** The input of each event. */
export const hookInputs = { ...toolHookInputs, ...promptHookInputs, ...sessionHookInputs, ...stopHookInputs, ...workspaceHookInputs };

/** The event-specific answer members of hooks, by event. Not every event has such members. */
export const hookSpecificOutputs = { ...toolHookOutputs, ...promptHookOutputs, ...sessionHookOutputs, ...stopHookOutputs, ...workspaceHookOutputs };

export const hookInput = openUnion('hook_event_name', Object.values(hookInputs), {
  id: 'HookInput',
  description: 'The input of a hook. The input for an unknown event is accepted unchanged.',
});

export const hookSpecificOutput = openUnion('hookEventName', Object.values(hookSpecificOutputs), {
  id: 'HookSpecificOutput',
  description: 'The members of a hook answer that depend on the event.',
});

export const asyncHookJSONOutput = openObject({
  async: z.literal(true),
  asyncTimeout: z.optional(z.number()).check(z.describe('How long the hook may continue to run, in milliseconds.')),
}).register(protocol, {
  id: 'AsyncHookJSONOutput',
  description: 'The answer of a hook that continues in the background. The agent does not wait for the hook.',
});

export const syncHookJSONOutput = openObject({
  async: z.optional(z.literal(false)),
  continue: z.optional(z.boolean()).check(z.describe('If false, the turn ends, whatever the other members contain. Default true.')),
  suppressOutput: z.optional(z.boolean()).check(z.describe('If true, the output of the hook is not written to the debug log.')),
  stopReason: z.optional(z.string()).check(z.describe('The text for the user if `continue` is `false`.')),
  decision: z
    .optional(openEnum(['approve', 'block']))
    .check(
      z.describe(
        'The decision of the hook. `block` forbids the action that the hook was called for. For tool calls, `approve` and `block` are the older form of `permissionDecision`.',
      ),
    ),
  systemMessage: z.optional(z.string()).check(z.describe('A warning for the user.')),
  terminalSequence: z.optional(z.string()),
  reason: z.optional(z.string()).check(z.describe('Why the action is blocked. The event determines whether the user or the model reads this text.')),
  hookSpecificOutput: z.optional(hookSpecificOutput).check(z.describe('The members that depend on the event. `hookEventName` names the event.')),
}).register(protocol, { id: 'SyncHookJSONOutput', description: 'The decision of a hook. An empty object means that the hook makes no decision.' });

export const hookJSONOutput = z
  .discriminatedUnion('async', [asyncHookJSONOutput, syncHookJSONOutput])
  .register(protocol, { id: 'HookJSONOutput', description: 'The answer of a hook.' });
