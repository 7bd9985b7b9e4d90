import { isObject, type Step } from '@proto/testkit/steps';

import type { Choices } from './choices.ts';
import { oddValue } from './odd-values.ts';

/** Members of messages that no specification defines, and that a program must ignore. */
const UNKNOWN = ['later_member', 'no_such_member', 'reason'];
const ADDED = 'later_member';
const PARTS = ['request', 'response'];

/** The same steps, in which some messages also have a member that their receiver must ignore. */
export function withUnknownMembers(choices: Choices, steps: readonly Step[]): Step[] {
  return steps.map((step) => {
    const { say } = step;
    if (!isObject(say) || !choices.isLucky(0.04)) return step;
    const added = { [ADDED]: oddValue(choices) };
    const part = PARTS.find((name) => isObject(say[name]));
    if (part === undefined || choices.isLucky(0.5)) return { ...step, say: { ...say, ...added } };
    return { ...step, say: { ...say, [part]: { ...Object(say[part]), ...added } } };
  });
}

/** Whether the message that a step sends has a member that the receiver must ignore. */
export function hasUnknownMembers({ say }: Step): boolean {
  return (
    isObject(say) &&
    (UNKNOWN.some((name) => Object.hasOwn(say, name)) ||
      PARTS.some((part) => isObject(say[part]) && Object.hasOwn(say[part], ADDED)))
  );
}

/** The step without what its receiver must ignore: unknown members of a message, or an unknown query. Undefined if there is nothing of this kind. */
export function withoutIgnored(step: Step): Step | undefined {
  const { spec, say, query, ...rest } = step;
  if (spec === 'EVS-30' && query !== undefined) return { ...rest, spec: 'EVS-1' };
  if (!hasUnknownMembers(step)) return undefined;
  return { ...rest, say: knownMembers(say), ...(spec === undefined || spec === 'MSG-8' ? {} : { spec }) };
}

function knownMembers(say: unknown): object {
  const known = Object.entries(Object(say)).filter(([name]) => !UNKNOWN.includes(name));
  return Object.fromEntries(
    known.map(([name, value]) => {
      if (!PARTS.includes(name) || !isObject(value)) return [name, value];
      return [name, Object.fromEntries(Object.entries(value).filter(([member]) => member !== ADDED))];
    }),
  );
}
