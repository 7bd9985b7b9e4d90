import { type Infer, lazy, type LazySchema, type SchemaOf } from '../schema.ts';
import { openUnion } from '../union-schema.ts';
import { promptHookInputs, promptHookOutputs } from './prompt-hooks.ts';
import { sessionHookInputs, sessionHookOutputs } from './session-hooks.ts';
import { stopHookInputs, stopHookOutputs } from './stop-hooks.ts';
import { toolHookInputs, toolHookOutputs } from './tool-hooks.ts';
import { workspaceHookInputs, workspaceHookOutputs } from './workspace-hooks.ts';

type HookInputs = typeof toolHookInputs &
  typeof promptHookInputs &
  typeof sessionHookInputs &
  typeof stopHookInputs &
  typeof workspaceHookInputs;

type HookOutputs = typeof toolHookOutputs &
  typeof promptHookOutputs &
  typeof sessionHookOutputs &
  typeof stopHookOutputs &
  typeof workspaceHookOutputs;

/** The input of each event. */
export const hookInputs: HookInputs = {
  ...toolHookInputs,
  ...promptHookInputs,
  ...sessionHookInputs,
  ...stopHookInputs,
  ...workspaceHookInputs,
};

/** The members particular to an event, of those that have some. */
export const hookSpecificOutputs: HookOutputs = {
  ...toolHookOutputs,
  ...promptHookOutputs,
  ...sessionHookOutputs,
  ...stopHookOutputs,
  ...workspaceHookOutputs,
};

/** What a hook is called with. Events not known yet pass as they are. */
export type HookInput = Infer<HookInputs[keyof HookInputs]>;

/** Schema of `HookInput`. */
export const hookInput: LazySchema<SchemaOf<HookInput>> = lazy(() => openUnion('hook_event_name', hookInputs));

/** What a hook may answer that is particular to its event. */
export type HookSpecificOutput = Infer<HookOutputs[keyof HookOutputs]>;

/** Schema of `HookSpecificOutput`. */
export const hookSpecificOutput: LazySchema<SchemaOf<HookSpecificOutput>> = lazy(() =>
  openUnion('hookEventName', hookSpecificOutputs),
);
