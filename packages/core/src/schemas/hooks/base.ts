import * as z from 'zod/mini';
import { HOOK_EVENTS } from '../../messages/hook-events.ts';
import { openEnum, openObject, protocol } from '../open.ts';

export const hookEvent = openEnum(HOOK_EVENTS, { id: 'HookEvent', description: 'An event that hooks are called for.' });

const ofEveryInput = {
  session_id: z.string(),
  transcript_path: z.string().check(z.describe('The path of the transcript: a file with the conversation, one JSON object per line.')),
  cwd: z.string().check(z.describe('The working directory of the agent when the event happens.')),
  prompt_id: z.optional(z.string()).check(z.describe('The id of the prompt. All hooks that run because of this prompt get the same id.')),
  permission_mode: z.optional(z.string()).check(z.describe('The permission mode of the agent when the event happens. Absent for some events.')),
  agent_id: z.optional(z.string()).check(z.describe('The id of the subagent in which the event happens; absent in the main conversation.')),
  agent_type: z
    .optional(z.string())
    .check(
      z.describe(
        'The kind of the subagent in which the event happens or, in the main conversation, the agent chosen with `--agent`. Absent if there is neither.',
      ),
    ),
  effort: z.optional(openObject({ level: z.string() })).check(z.describe('The effort level of the model, such as `medium`.')),
};

export const baseHookInput = openObject(ofEveryInput).register(protocol, { id: 'BaseHookInput', description: 'The members that the input of every hook has.' });

type InputMembers<Event extends string, Own> = Own & Omit<typeof ofEveryInput, keyof Own> & { readonly hook_event_name: z.ZodMiniLiteral<Event> };

/** The input of a hook for one event: the members of every event, and the members of this event, which may replace them. */
export function hookInputOf<const Event extends string, Own extends z.core.$ZodShape>(event: Event, description: string, members: Own) {
  const all: unknown = { ...ofEveryInput, ...members, hook_event_name: z.literal(event) };
  return openObject(all as InputMembers<Event, Own>).register(protocol, { id: `${event}HookInput`, description });
}

/** The members that only hooks of one event may answer with. */
export function specificOutputOf<const Event extends string, Members extends z.core.$ZodShape>(event: Event, members: Members) {
  const description = `The members that only the answer of a \`${event}\` hook may have.`;
  return openObject({ hookEventName: z.literal(event), ...members }).register(protocol, { id: `${event}HookSpecificOutput`, description });
}

/** The member with which a hook adds text to the context of the model. */
export function additionalContext(description: string) {
  return { additionalContext: z.optional(z.string()).check(z.describe(description)) };
}
