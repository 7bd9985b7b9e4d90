import { promptHookInputs, promptHookOutputs } from './prompt-hooks.ts';
import { sessionHookInputs, sessionHookOutputs } from './session-hooks.ts';
import { stopHookInputs, stopHookOutputs } from './stop-hooks.ts';
import { toolHookInputs, toolHookOutputs } from './tool-hooks.ts';
import { workspaceHookInputs, workspaceHookOutputs } from './workspace-hooks.ts';
import { openUnion } from '../open.ts';

/** The input of each event. */
export const hookInputs = { ...toolHookInputs, ...promptHookInputs, ...sessionHookInputs, ...stopHookInputs, ...workspaceHookInputs };

/** The members particular to an event, of those that have some. */
export const hookSpecificOutputs = { ...toolHookOutputs, ...promptHookOutputs, ...sessionHookOutputs, ...stopHookOutputs, ...workspaceHookOutputs };

export const hookInput = openUnion('hook_event_name', Object.values(hookInputs), {
  id: 'HookInput',
  description: 'What a hook is called with. Events not known yet pass as they are.',
});

export const hookSpecificOutput = openUnion('hookEventName', Object.values(hookSpecificOutputs), {
  id: 'HookSpecificOutput',
  description: 'What a hook may answer that is particular to its event.',
});
