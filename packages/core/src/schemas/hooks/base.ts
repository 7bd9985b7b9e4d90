import * as z from 'zod/mini';
import { HOOK_EVENTS } from '../../messages/hook-events.ts';
import { openEnum, openObject, protocol } from '../open.ts';

export const hookEvent = openEnum(HOOK_EVENTS, { id: 'HookEvent', description: 'An event for which hooks are called.' });

const ofEveryInput = {
  session_id: z.string(),
  transcript_path: z.string().check(z.describe('The path of the transcript, a file that contains the conversation with one JSON object per line.')),
  cwd: z.string().check(z.describe('The working directory of the agent when the event happens.')),
  prompt_id: z.optional(z.string()).check(z.describe('The id of the prompt. All hooks that run because of this prompt get the same id.')),
  permission_mode: z.optional(z.string()).check(z.describe('The permission mode of the agent when the event happens. Absent for some events.')),
  agent_id: z.optional(z.string()).check(z.describe('The id of the subagent in which the event happens. Absent in the main conversation.')),
  agent_type: z
    .optional(z.string())
    .check(
      z.describe(
        'The kind of the subagent in which the event happens. In the main conversation, the agent chosen with `--agent`. Absent in the main conversation without `--agent`.',
      ),
    ),
  effort: z.optional(openObject({ level: z.string() })).check(z.describe('The effort level of the model, such as `medium`.')),
};

export const baseHookInput = openObject(ofEveryInput).register(protocol, {
  id: 'BaseHookInput',
  description: "The members that are part of every hook's input.",
});

type InputMembers<Event extends string, Own> = Own & Omit<typeof ofEveryInput, keyof Own> & { readonly hook_event_name: z.ZodMiniLiteral<Event> };

/** The input of a hook for one event: the members that all events share, and the members of this event, which may replace shared members. */
export function hookInputOf<const Event extends string, Own extends z.core.$ZodShape>(event: Event, description: string, members: Own) {
  const all: unknown = { ...ofEveryInput, ...members, hook_event_name: z.literal(event) };
  return openObject(all as InputMembers<Event, Own>).register(protocol, { id: `${event}HookInput`, description });
}

/** The members that only the answers of hooks for one event may contain. */
export function specificOutputOf<const Event extends string, Members extends z.core.$ZodShape>(event: Event, members: Members) {
  const description = `The members that are specific to the answers of \`${event}\` hooks.`;
  return openObject({ hookEventName: z.literal(event), ...members }).register(protocol, { id: `${event}HookSpecificOutput`, description });
}

/** The member that a hook's answer contains to add text to the model's context. */
export function additionalContext(description: string) {
  return { additionalContext: z.optional(z.string()).check(z.describe(description)) };
}
