import { isObject, type Random, type Step } from '@proto/testkit/steps';

import type { Case } from '../../cases/case-schema.ts';
import { generateCases, type RandomSessions } from '../../random/random-sessions.ts';
import type { SimplifyStart } from '../../random/shrink-session.ts';
import { withUnknownMembers } from '../../random/unknown-members.ts';
import type { HostStart } from '../host-steps.ts';
import { message } from './messages.ts';
import { OPERATIONS } from './operations.ts';
import { LAST_LINE, SessionWriter } from './session-writer.ts';

const MAX_OPERATIONS = 50;

/** The cases for a number of generated sessions. The sessions use only the features that the host declares. */
export function generateHostSessions(random: RandomSessions, features: ReadonlySet<string>): Case[] {
  return generateCases('host', random, (numbers) => ({ spec: 'TRN-15', ...generateSession(numbers, features) }));
}

export const SIMPLER_HOST_STARTS: readonly SimplifyStart[] = [
  (start) => ({ ...start, prompts: ['Hello'] }),
  ...(['permissions', 'hooks', 'servers', 'elicitation', 'dialogs'] as const).map(
    (name): SimplifyStart =>
      (start) => {
        const { [name]: _, ...options } = (start as HostStart).options ?? {};
        return { ...start, options };
      },
  ),
];

/**
 * Whether the agent still behaves correctly in a session from which some steps were removed: the agent writes what the host must hand on, reads at the end, sends a result after each
 * prompt of the user, and then reports the state `idle` if it has reported other states, unless the process ends first.
 */
export function isPlayable({ start, steps }: Pick<Case, 'start' | 'steps'>): boolean {
  if (steps.findLast((step) => 'reads' in step)?.['reads'] === false) return false;
  const isWritten = steps.some((step) => String(step['say-text'] ?? step['pieces']).startsWith(LAST_LINE));
  if (steps.some((step) => 'expect-handed-on' in step) && !isWritten) return false;
  if (steps.some((step) => 'exit' in step || 'kill' in step)) return true;
  const states = steps.flatMap(({ say }) => (isObject(say) && 'state' in say ? [say['state']] : []));
  if (states.length > 0 && states.at(-1) !== 'idle') return false;
  const given = (start as HostStart).prompts?.length ?? 1;
  const added = steps.filter(({ call }) => call === 'prompt').length;
  let isSent = false;
  let answered = 0;
  for (const step of steps) {
    if ('await' in step) isSent = true;
    if (!('end-turn' in step)) continue;
    if (isSent) answered += 1;
    isSent = false;
  }
  return answered >= given + added;
}

/** The agent refuses `initialize`, sometimes in a turn that it has begun itself. */
function refusedInitialize(session: SessionWriter): Pick<Case, 'start' | 'steps'> {
  const request_id = '${refused.request_id}';
  const code = session.oneOf([{}, { error_code: 'unsupported_request' }, { error_code: 'no_such_code' }]);
  return {
    start: { ...session.start, hold: ['initialize'] },
    steps: [
      { expect: { type: 'control_request', request: { subtype: 'initialize' } }, anywhere: true, as: 'refused' },
      ...(session.isLucky(0.3) ? [{ 'begin-turn': {} }, ...message(session)] : []),
      {
        say: {
          type: 'control_response',
          response: { subtype: 'error', request_id, error: 'The agent has no key.', ...code },
        },
      },
      // A host without adapter shows an error only by its exit code, which may be the exit code of the agent.
      { exit: session.canAnswer ? session.oneOf([0, 1]) : 1 },
      { 'expect-result': { error: { $any: true } }, spec: 'CTL-43' },
    ],
  };
}

function generateSession(random: Random, features: ReadonlySet<string>): Pick<Case, 'start' | 'steps'> {
  const session = new SessionWriter(random, features);
  if (session.isLucky(0.04)) return refusedInitialize(session);
  const possible = session.someOf(OPERATIONS.filter(({ isPossible = () => true }) => isPossible(session)));
  const steps: Step[] = [...session.begin()];
  for (let left = 1 + session.below(MAX_OPERATIONS); left > 0; left--) {
    steps.push(...session.weighted(possible).steps(session));
    if (session.isLucky(0.15)) steps.push(...session.settle());
  }
  steps.push(...session.end());
  return { start: session.start, steps: withUnknownMembers(session, steps) };
}
