/** The table of events in docs/hooks.md, compared with the declared types. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { HOOK_EVENTS } from '@proto/core/messages';
import { expect, test } from 'vitest';
import { ROOT } from './documents.ts';

const types = readFileSync(join(ROOT, 'packages/core/src/messages/message-types.ts'), 'utf8');
const page = readFileSync(join(ROOT, 'docs/hooks.md'), 'utf8');
const rows = Array.from(
  page.matchAll(/^\| `(\w+)` \| [^|]+ \| ([^|]*) \| ([^|]*) \|$/gm),
  ([, event = '', input = '', answer = '']) => ({ event, input, answer }),
);
const wordsIn = (cell: string) => Array.from(cell.matchAll(/`(\w+)`/g), ([, word = '']) => word);

/** The body of a declared type; empty for a type that is not declared. */
function bodyOf(name: string): string {
  return new RegExp(`^export type ${name} = \\{\\n(.*?)^\\};`, 'ms').exec(types)?.[1] ?? '';
}
const membersOf = (name: string) => Array.from(bodyOf(name).matchAll(/^ {2}(\w+)\??:/gm), ([, member = '']) => member);

const ofEvery = new Set([...membersOf('BaseHookInput'), 'hook_event_name']);

test('the table has a row for each event', () => {
  expect(rows.map(({ event }) => event)).toEqual(HOOK_EVENTS);
});

test.each(rows)('the row of $event has the declared members', ({ event, input, answer }) => {
  const [, subject] = /\*\*`(\w+)`\*\*/.exec(input) ?? [];
  const declared = membersOf(`${event}HookInput`).filter((member) => !ofEvery.has(member) || member === subject);
  expect(wordsIn(input).sort()).toEqual(declared.sort());
  const specific = membersOf(`${event}HookSpecificOutput`).filter((member) => member !== 'hookEventName');
  expect(wordsIn(answer).sort()).toEqual(specific.sort());
  // For each event, one declaration names the member with which matchers are compared.
  const compared = /Matchers of hooks are compared with this value\. \*\/\n {2}(\w+)/.exec(bodyOf(`${event}HookInput`));
  if (compared !== null) expect(subject).toBe(compared[1]);
});
