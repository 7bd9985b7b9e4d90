import { parseJson } from '@proto/core/framing';
import { isObject, shortJson } from '@proto/testkit/steps';

import { onceFor } from '../../../once-for.ts';
import type { SocketReading } from '../../observed.ts';
import { receivedBy, type Rule } from '../rule.ts';

/** The beginning of a line with a message in `sjp.v1`. The form is fixed, so that readers can extract the message without parsing the line. */
const NUMBERED = /^\{(?:"id":\d+,)?(?:"source":"(?:[^"\\]|\\.)*",)?"data":\{/u;

export const socketRules: readonly Rule[] = [
  rule('lines-end', 'WSK-3', (reading) => {
    const last = reading.frames.at(-1)?.text;
    const joined = linesOf(reading).find((line) => line.includes('}{') && jsonOf(line) === undefined);
    if (joined !== undefined) return `two lines without an LF between them: ${shortJson(joined, 120)}`;
    return last === undefined || last.endsWith('\n')
      ? undefined
      : `a last frame that does not end with LF: ${shortJson(last, 120)}`;
  }),
  rule('messages-on-plain-lines', 'WSK-25', (reading) => {
    const isPlain = !reading.isWorker && !reading.isNumbered;
    const bad = isPlain ? linesOf(reading).find((_, at) => typeof typesOf(reading)[at] !== 'string') : undefined;
    return bad === undefined ? undefined : `a line that is not a message: ${shortJson(bad, 120)}`;
  }),
  rule('text-frames', 'WSK-4', ({ frames }) =>
    frames.some(({ isBinary }) => isBinary) ? 'a binary frame' : undefined,
  ),
  rule('readable-frames', 'WSK-4', ({ unreadable }) =>
    unreadable === undefined ? undefined : `a frame that is not a text frame (${unreadable})`,
  ),
  rule('one-line-in-a-frame', 'WSK-5', ({ frames, isNumbered }) =>
    !isNumbered && frames.some(({ text }) => text.trimEnd().includes('\n'))
      ? 'a frame that contains several lines'
      : undefined,
  ),
  rule('separators-escaped', 'WSK-6', ({ frames }) =>
    frames.some(({ text }) => /[\u2028\u2029]/.test(text)) ? 'a line separator that is not escaped' : undefined,
  ),
  rule('json-lines', 'WSK-13', (reading) => {
    const bad = reading.isWorker ? linesOf(reading).find((line) => !isObject(jsonOf(line))) : undefined;
    return bad === undefined ? undefined : `a line that is not a JSON object: ${shortJson(bad, 120)}`;
  }),
  rule('nothing-before-the-credential', 'WSK-19', (reading) => {
    if (!reading.isAnonymous || reading.isNumbered || reading.isWorker) return undefined;
    const auth = reading.sent.findIndex((text) => text.split('\n').some((line) => typeOf(line) === 'auth'));
    const early = reading.frames[0]?.text;
    return early === undefined || (auth !== -1 && reading.receivedBefore[auth] === 0)
      ? undefined
      : `a message before it had sent a credential: ${shortJson(early, 120)}`;
  }),
  rule('no-answer-to-auth', 'WSK-21', (reading) => {
    const bad = typesOf(reading).find((type) => type === 'auth');
    return bad === undefined ? undefined : 'an `auth` line';
  }),
  numbered('greeting-first', 'WSK-41', ([first]) => {
    const greeting = first === undefined ? {} : jsonOf(first);
    return isObject(greeting) && (first === undefined || typeof greeting['ack'] === 'number')
      ? undefined
      : `a first line that is not a greeting: ${shortJson(first, 120)}`;
  }),
  numbered('form-of-messages', 'WSK-44', (lines) => {
    const bad = lines.find((line) => /"data":/.test(line) && !/"event":/.test(line) && !isNumberedLine(line));
    return bad === undefined ? undefined : `a message in a wrong form: ${shortJson(bad, 120)}`;
  }),
  numbered('nothing-after-the-end', 'WSK-54', (lines) => {
    const end = lines.findIndex((line) => /^\{"end":\d+\}$/.test(line));
    const late = end === -1 ? undefined : lines.slice(end).find((line) => line.startsWith('{"id":'));
    return late === undefined ? undefined : `a message after the end: ${shortJson(late, 120)}`;
  }),
  numbered('rising-numbers', 'WSK-45', (lines, from) => {
    let last = from;
    for (const line of lines) {
      const value = jsonOf(line);
      const { id, gap } = isObject(value) ? value : {};
      // After `unknown_cursor` the numbers restart below the cursor.
      if (isObject(gap) && gap['reason'] === 'unknown_cursor') last = Number(gap['from']) - 1;
      if (typeof id !== 'number') continue;
      if (id <= last) return `the number ${id} after ${last}`;
      last = id;
    }
    return undefined;
  }),
];

function rule(name: string, spec: string, problem: (reading: SocketReading) => string | undefined): Rule {
  return {
    name,
    spec,
    *check({ readings }) {
      for (const reading of readings) {
        const found = reading.kind === 'socket' ? problem(reading) : undefined;
        if (found !== undefined) yield `${receivedBy(reading.party)}${found}.`;
      }
    },
  };
}

function numbered(
  name: string,
  spec: string,
  problem: (lines: readonly string[], from: number) => string | undefined,
): Rule {
  return rule(name, spec, (reading) => (reading.isNumbered ? problem(linesOf(reading), reading.from) : undefined));
}

function isNumberedLine(line: string): boolean {
  return NUMBERED.test(line) && line.endsWith('}}');
}

const linesOf = onceFor(({ frames }: SocketReading): readonly string[] => {
  const text = frames.map((frame) => frame.text).join('');
  return text.split('\n').slice(0, -1);
});

/** The type of the message in each line. */
const typesOf = onceFor((reading: SocketReading) => linesOf(reading).map(typeOf));

function jsonOf(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

function typeOf(line: string): unknown {
  const value = jsonOf(line);
  return isObject(value) ? value['type'] : undefined;
}
