import * as z from 'zod/mini';
import { type Infer, lazy, object, openEnum, optional } from '../schema.ts';

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

/** Schema of `BaseHookInput`. */
export const baseHookInput = lazy(() =>
  object({
    session_id: z.string(),
    transcript_path: z.string(),
    cwd: z.string(),
    prompt_id: optional(z.string()),
    permission_mode: optional(z.string()),
    agent_id: optional(z.string()),
    agent_type: optional(z.string()),
    effort: optional(object({ level: z.string() })),
  }),
);

/** What the input of every hook has. */
export type BaseHookInput = Infer<typeof baseHookInput>;

type InputShape<Event, Members> = Members &
  Omit<ReturnType<typeof baseHookInput>['shape'], keyof Members> & {
    hook_event_name: z.ZodMiniLiteral<Event & string>;
  };

/** The input of one event: the members of every event, and its own, which may say more of one of those. */
export function hookInputOf<const Event extends string, Members extends z.core.$ZodShape>(
  event: Event,
  members: Members,
): z.ZodMiniObject<InputShape<Event, Members>, z.core.$strip> {
  const shape = { ...baseHookInput().shape, ...members, hook_event_name: z.literal(event) };
  return object(shape as unknown as InputShape<Event, Members>);
}

/** The members that a hook of one event may answer with, beside those of every answer. */
export function specificOutputOf<const Event extends string, Members extends z.core.$ZodShape>(
  event: Event,
  members: Members,
) {
  return object({ hookEventName: z.literal(event), ...members });
}
