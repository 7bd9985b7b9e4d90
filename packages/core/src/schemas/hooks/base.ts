import * as z from 'zod/mini';
import { HOOK_EVENTS } from '../../messages/hook-events.ts';
import { openEnum, openObject, protocol } from '../open.ts';

export const hookEvent = openEnum(HOOK_EVENTS, { id: 'HookEvent', description: 'What a hook is called for.' });

const ofEveryInput = {
  session_id: z.string(),
  transcript_path: z.string().check(z.describe('The file that keeps the conversation, one JSON object a line.')),
  cwd: z.string().check(z.describe('The working directory of the agent at that moment.')),
  prompt_id: z.optional(z.string()).check(z.describe('The same for all hooks that one prompt leads to.')),
  permission_mode: z.optional(z.string()).check(z.describe('How much the agent may do without asking at that moment; some events come without it.')),
  agent_id: z.optional(z.string()).check(z.describe('The subagent within which the event happens; absent in the main conversation.')),
  agent_type: z.optional(z.string()).check(z.describe('The name of the agent: that of the subagent, else the one `--agent` chose; absent without either.')),
  effort: z.optional(openObject({ level: z.string() })).check(z.describe('How hard the model tries, such as `medium`.')),
};

export const baseHookInput = openObject(ofEveryInput).register(protocol, { id: 'BaseHookInput', description: 'What the input of every hook has.' });

type InputMembers<Event extends string, Own> = Own & Omit<typeof ofEveryInput, keyof Own> & { readonly hook_event_name: z.ZodMiniLiteral<Event> };

/** The input of a hook for one event: the members of every event, and the members of this event, which may replace them. */
export function hookInputOf<const Event extends string, Own extends z.core.$ZodShape>(event: Event, description: string, members: Own) {
  const all: unknown = { ...ofEveryInput, ...members, hook_event_name: z.literal(event) };
  return openObject(all as InputMembers<Event, Own>).register(protocol, { id: `${event}HookInput`, description });
}

/** The members that only hooks of one event may answer with. */
export function specificOutputOf<const Event extends string, Members extends z.core.$ZodShape>(event: Event, members: Members) {
  const description = `What a hook of \`${event}\` may answer beside the common members.`;
  return openObject({ hookEventName: z.literal(event), ...members }).register(protocol, { id: `${event}HookSpecificOutput`, description });
}

/** The member with which a hook adds text to the context of the model. */
export function additionalContext(description: string) {
  return { additionalContext: z.optional(z.string()).check(z.describe(description)) };
}
