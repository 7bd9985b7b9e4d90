import * as z from 'zod/mini';
import { openEnum, openObject, openUnion, protocol } from '../open.ts';
import { promptHookInputs, promptHookOutputs } from './prompt-hooks.ts';
import { sessionHookInputs, sessionHookOutputs } from './session-hooks.ts';
import { stopHookInputs, stopHookOutputs } from './stop-hooks.ts';
import { toolHookInputs, toolHookOutputs } from './tool-hooks.ts';
import { workspaceHookInputs, workspaceHookOutputs } from './workspace-hooks.ts';

/** The input of each event. */
export const hookInputs = { ...toolHookInputs, ...promptHookInputs, ...sessionHookInputs, ...stopHookInputs, ...workspaceHookInputs };

/** The answers of hooks that are particular to their event, by event. Not every event has such members. */
export const hookSpecificOutputs = { ...toolHookOutputs, ...promptHookOutputs, ...sessionHookOutputs, ...stopHookOutputs, ...workspaceHookOutputs };

export const hookInput = openUnion('hook_event_name', Object.values(hookInputs), {
  id: 'HookInput',
  description: 'What a hook is called with. Events not known yet pass as they are.',
});

export const hookSpecificOutput = openUnion('hookEventName', Object.values(hookSpecificOutputs), {
  id: 'HookSpecificOutput',
  description: 'What a hook may answer that is particular to its event.',
});

export const asyncHookJSONOutput = openObject({
  async: z.literal(true),
  asyncTimeout: z.optional(z.number()).check(z.describe('How long the hook may go on, in ms.')),
}).register(protocol, { id: 'AsyncHookJSONOutput', description: 'The hook goes on by itself: what it was called for happens at once.' });

export const syncHookJSONOutput = openObject({
  async: z.optional(z.literal(false)),
  continue: z.optional(z.boolean()).check(z.describe('False ends the turn, whatever else the answer says; true where it is absent.')),
  suppressOutput: z.optional(z.boolean()).check(z.describe('With true the output of the hook stays out of the debug log.')),
  stopReason: z.optional(z.string()).check(z.describe('What the user is told where `continue` is false.')),
  decision: z
    .optional(openEnum(['approve', 'block']))
    .check(z.describe('`block` forbids what the hook was called for; for tool calls both are the older form of `permissionDecision`.')),
  systemMessage: z.optional(z.string()).check(z.describe('A warning for the user.')),
  terminalSequence: z.optional(z.string()),
  reason: z.optional(z.string()).check(z.describe('Why it is blocked, for the user or for the model, as the event has it.')),
  hookSpecificOutput: z.optional(hookSpecificOutput).check(z.describe('What only hooks of this event may answer; it names the event.')),
}).register(protocol, { id: 'SyncHookJSONOutput', description: 'What a hook decided; an empty object is no opinion.' });

export const hookJSONOutput = z
  .discriminatedUnion('async', [asyncHookJSONOutput, syncHookJSONOutput])
  .register(protocol, { id: 'HookJSONOutput', description: 'The answer of a hook.' });
