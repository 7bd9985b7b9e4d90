import { expect, test } from 'vitest';

import { countedReads } from '../../counted-reads.test-support.ts';
import { readSession } from '../session-log.ts';
import { growingSessions } from './growing-sessions.test-support.ts';
import { rules } from './index.ts';
import { type Part, session } from './sessions.test-support.ts';

const FEW = 20;

for (const [name, shape] of Object.entries(growingSessions))
  test(`no rule reads a session with twice as many ${name} more than three times as often`, () => {
    const [few, twice] = [FEW, 2 * FEW].map((count) => readsOfRules(shape(count)));
    const ratios = rules.map((rule, at) => ({ rule: rule.name, ratio: (twice?.[at] ?? 0) / (few?.[at] ?? 1) }));
    expect(ratios.filter(({ ratio }) => ratio > 3)).toEqual([]);
  });

/** How often each rule reads a member of the session: a number that does not depend on the speed of the machine. */
function readsOfRules(parts: readonly Part[]): readonly number[] {
  const read = readSession(session(parts, { args: ['--permission-prompt-tool', 'stdio', '--replay-user-messages'] }));
  return countedReads(
    read,
    rules.map(({ check }) => check),
  );
}
