import { cutText } from '@proto/core/framing';
import { isObject, shortJson } from '@proto/testkit/steps';

import type { OutputLine } from '../../output-lines.ts';
import { parseJson, type Session } from '../../session-log.ts';
import { type Broken, firstOf, type Rule } from '../rule.ts';

// The smallest line limit of any published host.
const MAX_LINE_BYTES = 1_048_575;

export const framingRules: readonly Rule[] = [
  {
    name: 'framing/only-the-protocol',
    spec: 'FRM-17',
    check: (session) =>
      eachLine(session, ({ text }, value) =>
        value === undefined
          ? { message: `A line of the output is not JSON: ${shortJson(text, 120)}.`, got: cutText(text, 1000) }
          : undefined,
      ),
  },
  {
    name: 'framing/objects',
    spec: 'FRM-1',
    check: (session) =>
      eachLine(session, (_line, value) =>
        value !== undefined && !isObject(value)
          ? { message: `A line of the output is not a JSON object: ${shortJson(value, 120)}.`, got: value }
          : undefined,
      ),
  },
  {
    name: 'framing/one-object',
    spec: 'FRM-1',
    check: (session) =>
      eachLine(session, ({ text }, value) =>
        value === undefined && hasTwoAdjacentObjects(text)
          ? { message: 'A line of the output contains several objects.', got: cutText(text, 1000) }
          : undefined,
      ),
  },
  {
    name: 'framing/line-feed',
    spec: 'FRM-1',
    check: (session) =>
      eachLine(session, ({ ended, text }) =>
        ended ? undefined : { message: 'The last line of the output does not end with a line feed.', got: text },
      ),
  },
  {
    name: 'framing/no-carriage-return',
    spec: 'FRM-29',
    check: (session) =>
      eachLine(session, ({ text }) =>
        text.endsWith('\r')
          ? { message: 'A line of the output ends with a CR before the line feed.', got: text }
          : undefined,
      ),
  },
  {
    name: 'framing/utf-8',
    spec: 'FRM-2',
    check: (session) =>
      eachLine(session, ({ isUtf8, text }) =>
        isUtf8 ? undefined : { message: 'A line is not UTF-8, or begins with a byte order mark.', got: text },
      ),
  },
  {
    name: 'framing/escaped-separators',
    spec: 'FRM-9',
    check: (session) =>
      eachLine(session, ({ text }) =>
        /[\u2028\u2029]/.test(text)
          ? { message: 'A line contains U+2028 or U+2029, which some readers treat as the end of a line.' }
          : undefined,
      ),
  },
  {
    name: 'framing/length',
    spec: 'FRM-13',
    check: (session) =>
      eachLine(session, ({ bytes }) =>
        bytes > MAX_LINE_BYTES
          ? { message: `A line has ${bytes} bytes, but some hosts read at most ${MAX_LINE_BYTES} bytes per line.` }
          : undefined,
      ),
  },
];

function hasTwoAdjacentObjects(text: string): boolean {
  for (let at = text.indexOf('}{'); at !== -1; at = text.indexOf('}{', at + 1))
    if (isObject(parseJson(text.slice(0, at + 1)))) return true;
  return false;
}

/** A line that a signal may have cut off is left out. */
function eachLine(session: Session, check: (line: OutputLine, value: unknown) => Broken | undefined) {
  return firstOf(session.events, (event) =>
    event.kind === 'received' && (event.line.ended || !session.signalled) ? check(event.line, event.value) : undefined,
  );
}
