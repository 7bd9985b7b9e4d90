import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { flattenIssues } from '../drift/zod-issues.ts';
import { parseLine } from '../framing/json-line.ts';
import { controlRequests, controlResponses, REQUESTS_OF_AGENTS } from '../schemas/control/requests.ts';
import { messagesFromAgent, messagesFromHost } from '../schemas/messages.ts';
import * as minimal from '../schemas/minimal-schemas.ts';
import { mutantsOf, valuesOf } from './agreement.test-support.ts';
import type { Issue } from '../errors.ts';
import type { Check } from './check-parts.ts';
import { type Direction, memberOf } from './find-kind.ts';
import { issueOf } from './explain.ts';
import * as minimalChecks from './generated/minimal-checks.ts';
import { answerCheck, kindFromAgent, kindFromHost } from './generated/message-checks.ts';
import { parseMessage } from './parse-message.ts';
import { recordings } from './recordings.test-support.ts';

/** A generated check, and the schema from which it was generated. */
interface Pair {
  readonly name: string;
  /** Returns the first issue of a value, or undefined. */
  readonly refuse: (value: unknown) => Issue | undefined;
  readonly schema: z.ZodMiniType;
}

function byParsing(direction: Direction): Pair['refuse'] {
  return (value) => {
    const parsed = parseMessage(value, { direction, mode: 'strict' });
    return parsed.kind === 'invalid' ? parsed.issues[0] : undefined;
  };
}

function byChecking(passes: Check): Pair['refuse'] {
  return (value) => (passes(value) ? undefined : issueOf(passes, value));
}

const frameOf = (request: z.ZodMiniType) =>
  z.looseObject({ type: z.literal('control_request'), request_id: z.string(), request });
const kindOf = { 'from-agent': kindFromAgent, 'from-host': kindFromHost };

/** Pairs for the messages of a table; the look-up must find each message by the `type` and `subtype` of its name. */
function messagePairs(direction: Direction, table: Readonly<Record<string, z.ZodMiniType>>): Pair[] {
  return Object.entries(table)
    .filter(([name]) => name !== 'control_request')
    .map(([name, schema]) => {
      const [type = '', subtype] = name.split('/');
      const echo = subtype === 'replay' ? { isReplay: true } : {};
      expect(kindOf[direction](type, { subtype, ...echo })?.name).toBe(name);
      return { name: `${direction} ${name}`, refuse: byParsing(direction), schema };
    });
}

const requestPairs = Object.entries(controlRequests).map(([subtype, body]) => {
  const direction = REQUESTS_OF_AGENTS[subtype] === 'from-agent' ? 'from-agent' : 'from-host';
  return { name: `request ${subtype}`, refuse: byParsing(direction), schema: frameOf(body) };
});
const answerPairs = Object.entries(controlResponses).map(([subtype, schema]) => ({
  name: `answer to ${subtype}`,
  refuse: byChecking(answerCheck(subtype) as Check),
  schema: schema as z.ZodMiniType,
}));
const checks: Readonly<Record<string, Check>> = { ...minimalChecks };
const minimalPairs = Object.entries({ ...minimal }).map(([name, schema]) => ({
  name: `minimal: ${name}`,
  refuse: byChecking(checks[name] ?? (() => false)),
  schema: schema as z.ZodMiniType,
}));
const pairs: readonly Pair[] = [
  ...messagePairs('from-agent', messagesFromAgent),
  ...messagePairs('from-host', messagesFromHost),
  ...requestPairs,
  ...answerPairs,
  ...minimalPairs,
];

const SEED = 20_261_123;
// The total over all pairs.
const MADE = 20_000;
const MUTANTS = 20_000;

/** Whether the look-up selects the check of that name for a value, that is, whether its discriminators match. */
function isOfItsKind(name: string, value: unknown): boolean {
  const [family = '', second = ''] = name.split(' ');
  const { type, subtype, isReplay, request } = (value ?? {}) as Readonly<Record<string, unknown>>;
  if (family === 'request') return type === 'control_request' && memberOf(request, 'subtype') === second;
  if (!family.startsWith('from-')) return true;
  const isEcho = isReplay !== undefined && isReplay !== false;
  const [wanted, wantedSubtype] = second.split('/');
  if (wanted === 'user' && family === 'from-agent') return type === 'user' && isEcho === (wantedSubtype === 'replay');
  return type === wanted && (wantedSubtype === undefined || subtype === wantedSubtype);
}

/** Expects the check and the schema to give the same verdict, and an issue at the same path. */
function agree({ name, refuse, schema }: Pair, value: unknown): 'valid' | 'invalid' {
  const { error } = schema.safeParse(value);
  const issue = refuse(value);
  if ((issue === undefined) !== (error === undefined)) {
    throw new Error(
      `${name}: ${issue?.message ?? 'passes'}, but zod: ${error?.message ?? 'passes'}: ${JSON.stringify(value)}`,
    );
  }
  if (issue === undefined || error === undefined) return 'valid';
  const places = flattenIssues(error.issues).map(({ path }) => path.join('.'));
  const place = issue.path.join('.');
  if (!places.includes(place))
    throw new Error(`${name}: ${place}, but zod: ${places.join(' ')}: ${JSON.stringify(value)}`);
  return 'invalid';
}

// Tens of thousands of values are checked twice, which takes a long time on a busy machine.
describe('a generated check and its zod schema agree', { timeout: 180_000 }, () => {
  test('on every recorded line', () => {
    for (const { text, direction } of recordings) {
      const { message } = parseLine(text);
      if (message === undefined) continue;
      for (const pair of pairs.filter(({ name }) => name.startsWith(direction))) {
        if (isOfItsKind(pair.name, message)) agree(pair, message);
      }
    }
  });

  test.each(pairs)('on values made for $name', (pair) => {
    fc.assert(
      fc.property(valuesOf(pair.schema), (value) => {
        // A generated `user` message may be an echo.
        fc.pre(isOfItsKind(pair.name, value));
        agree(pair, value);
      }),
      { seed: SEED, numRuns: Math.ceil(MADE / pairs.length) },
    );
  });

  test(`on ${MUTANTS} values with members deleted, replaced and added`, () => {
    let invalid = 0;
    const mutated = fc
      .constantFrom(...pairs)
      .chain((pair) => valuesOf(pair.schema).chain((value) => mutantsOf(value).map((mutant) => ({ pair, mutant }))));
    fc.assert(
      fc.property(mutated, ({ pair, mutant }) => {
        fc.pre(isOfItsKind(pair.name, mutant));
        if (agree(pair, mutant) === 'invalid') invalid++;
      }),
      { seed: SEED, numRuns: MUTANTS },
    );
    expect(invalid).toBeGreaterThan(MUTANTS / 10);
  });
});
