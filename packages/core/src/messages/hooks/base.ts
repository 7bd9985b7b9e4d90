import type * as z from 'zod/mini';

import { type Members, object, optional } from '../object-schema.ts';
import { type Infer, lazy, type LazySchema, literal, openEnum, string } from '../schema.ts';

/** The events of the published agents that hooks can answer. */
export const HOOK_EVENTS = [
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'PostToolBatch',
  'Notification',
  'UserPromptSubmit',
  'UserPromptExpansion',
  'SessionStart',
  'SessionEnd',
  'Stop',
  'StopFailure',
  'SubagentStart',
  'SubagentStop',
  'PreCompact',
  'PostCompact',
  'PreModelSwitch',
  'PostModelSwitch',
  'PermissionRequest',
  'PermissionDenied',
  'Setup',
  'TeammateIdle',
  'TaskCreated',
  'TaskCompleted',
  'Elicitation',
  'ElicitationResult',
  'ConfigChange',
  'WorktreeCreate',
  'WorktreeRemove',
  'InstructionsLoaded',
  'CwdChanged',
  'FileChanged',
  'DirectoryAdded',
  'MessageDisplay',
] as const;

/** Schema of `HookEvent`. */
export const hookEvent = lazy(() => openEnum(HOOK_EVENTS));

/** What a hook is called for. */
export type HookEvent = Infer<typeof hookEvent>;

const ofEveryInput = {
  session_id: string,
  transcript_path: string,
  cwd: string,
  prompt_id: optional(string),
  permission_mode: optional(string),
  agent_id: optional(string),
  agent_type: optional(string),
  effort: optional(object({ level: string })),
};

/** Schema of `BaseHookInput`. */
export const baseHookInput = lazy(() => object(ofEveryInput));

/** What the input of every hook has. */
export type BaseHookInput = Infer<typeof baseHookInput>;

type InputMembers<Event extends string, Own> = Own &
  Omit<typeof ofEveryInput, keyof Own> & { readonly hook_event_name: LazySchema<z.ZodMiniLiteral<Event>> };

/** The input of one event: the members of every event, and its own, which may say more of one of those. */
export function hookInputOf<const Event extends string, Own extends Members>(event: Event, members: Own) {
  const all: unknown = { ...ofEveryInput, ...members, hook_event_name: literal(event) };
  return object(all as InputMembers<Event, Own>);
}

/** The members that a hook of one event may answer with, beside those of every answer. */
export function specificOutputOf<const Event extends string, Own extends Members>(event: Event, members: Own) {
  return object({ hookEventName: literal(event), ...members });
}
