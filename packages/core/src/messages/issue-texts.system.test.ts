import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { issuesIn } from '../drift/zod-issues.ts';
import * as minimal from '../schemas/minimal-schemas.ts';
import { controlRequests, controlResponses } from '../schemas/control/requests.ts';
import { messagesFromAgent, messagesFromHost } from '../schemas/messages.ts';
import { protocol } from '../schemas/open.ts';
import { mutantsOf, valuesOf } from './agreement.test-support.ts';
import type { Issue } from '../errors.ts';
import type { Check } from './check-parts.ts';
import { FIXED_TEXTS, issueOf } from './explain.ts';
import type { Direction } from './find-kind.ts';
import { parseMessage } from './parse-message.ts';
import * as minimalChecks from './generated/minimal-checks.ts';
import { answerCheck } from './generated/message-checks.ts';

/** The texts of issues say what is expected: kinds, members, values. */

const tables = { messagesFromAgent, messagesFromHost, controlRequests, controlResponses, minimal };
const schemas = Object.values(tables).flatMap((table) => Object.entries<z.ZodMiniType>({ ...table }));

/** Calls back for each schema in a schema, itself included. */
function walk(schema: z.core.$ZodType, visit: (schema: z.core.$ZodTypes) => void, seen = new Set<unknown>()): void {
  if (seen.has(schema)) return;
  seen.add(schema);
  visit(schema as z.core.$ZodTypes);
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === 'optional' || def.type === 'nullable') walk(def.innerType, visit, seen);
  if (def.type === 'lazy') walk(def.getter(), visit, seen);
  if (def.type === 'array') walk(def.element, visit, seen);
  if (def.type === 'record') walk(def.valueType, visit, seen);
  if (def.type === 'object') for (const member of Object.values(def.shape)) walk(member, visit, seen);
  if (def.type === 'union') for (const option of def.options) walk(option, visit, seen);
}

const composite = (['union', 'enum', 'literal', 'record', 'object'] as const).map((type) => {
  const found = new Set<z.core.$ZodTypes>();
  for (const [, schema] of schemas) walk(schema, (one) => void (one._zod.def.type === type && found.add(one)));
  return [type, [...found]] as const;
});

const EMPTY_WORDS = /known value|known kind|another value|\b(object|string|array|number|boolean) or \1\b|undefined/;

describe('the text of an issue says what is expected', () => {
  test.each(composite)('by the words of each %s of the schemas', (type, found) => {
    expect(found.length).toBeGreaterThan(3);
    for (const schema of found) {
      for (const wrong of [5, [], Symbol('x'), undefined]) {
        const [issue] = issuesIn(schema, wrong);
        if (issue === undefined) continue;
        expect(issue.message).toMatch(/^expected \S/);
        expect(issue.message).not.toMatch(EMPTY_WORDS);
        if (type === 'enum' || type === 'literal') expect(issue.message).toMatch(/^expected (".+"|true|false)/);
      }
    }
  });

  test('on values with members deleted, replaced and added', () => {
    const mutants = fc
      .constantFrom(...schemas)
      .chain(([, schema]) => valuesOf(schema).chain((value) => mutantsOf(value).map((mutant) => ({ schema, mutant }))));
    fc.assert(
      fc.property(mutants, ({ schema, mutant }) => {
        for (const { message } of issuesIn(schema, mutant)) expect(message).not.toMatch(EMPTY_WORDS);
      }),
      { numRuns: 3000 },
    );
  });

  test.each([
    [{ type: 'result', subtype: 'success' }, 'modelUsage', 'object in which each member is object with inputTokens, '],
    [{ type: 'result', subtype: 'success' }, 'usage', 'object'],
    [{ type: 'result', subtype: 'success', usage: 5 }, 'is_error', 'boolean'],
    [{ type: 'user', message: { role: 'user', content: 5 } }, 'message.content', 'string or array'],
    [
      { type: 'user', message: { role: 'user', content: [5] } },
      'message.content.0',
      'object with type ("text", "thinking", ',
    ],
    [{ type: 'user', message: { role: 'moon', content: '' } }, 'message.role', '"user"'],
  ])('%j at %s: %s', (value, path, words) => {
    const schema: z.ZodMiniType = value.type === 'user' ? messagesFromAgent.user : messagesFromAgent['result/success'];
    const texts = issuesIn(schema, value).map((issue) => `${issue.path.join('.')}: ${issue.message}`);
    expect(texts.find((text) => text.startsWith(`${path}: `))).toContain(`${path}: expected ${words}`);
  });

  test('holds nothing of the value', () => {
    const secret = 'do-not-log-me';
    for (const [, schema] of schemas) {
      for (const value of [secret, { type: secret, subtype: secret, [secret]: secret }, [secret]]) {
        expect(JSON.stringify(issuesIn(schema, value))).not.toContain(secret);
      }
    }
  });
});

/** The fixed texts of places that accept only these texts, without the discriminators of messages and of open unions. */
function fixedTexts(schema: z.core.$ZodType, lookedUp: readonly string[], seen = new Set<unknown>()): string[] {
  if (seen.has(schema)) return [];
  seen.add(schema);
  const { def } = (schema as z.core.$ZodTypes)._zod;
  const within = (one: z.core.$ZodType, names: readonly string[] = []) => fixedTexts(one, names, seen);
  switch (def.type) {
    case 'optional':
    case 'nullable':
      return within(def.innerType, lookedUp);
    case 'lazy':
      return within(def.getter(), lookedUp);
    case 'array':
      return within(def.element);
    case 'record':
      return within(def.valueType);
    case 'object':
      return Object.entries(def.shape).flatMap(([name, member]) => (lookedUp.includes(name) ? [] : within(member)));
    case 'union': {
      const [known] = def.options as readonly z.core.$ZodDiscriminatedUnion[];
      if (protocol.get(schema)?.isOpen !== true || known === undefined)
        return def.options.flatMap((one) => within(one));
      return known._zod.def.options.flatMap((one) => within(one, [known._zod.def.discriminator]));
    }
    case 'literal':
      return def.values.filter((value) => typeof value === 'string');
    case 'enum':
      return Object.values(def.entries).filter((value) => typeof value === 'string');
    default:
      return [];
  }
}

describe('a check without a schema', () => {
  test('tries the fixed texts of all places', () => {
    const fixed = new Set(schemas.flatMap(([, schema]) => fixedTexts(schema, ['type', 'subtype'])));
    expect([...FIXED_TEXTS].toSorted()).toEqual([...fixed].toSorted());
  });

  test('names kinds or values on values with members deleted, replaced and added', () => {
    const checks: Readonly<Record<string, Check>> = { ...minimalChecks };
    const refusals: readonly (readonly [z.ZodMiniType, (value: unknown) => readonly Issue[]])[] = [
      ...Object.values<z.ZodMiniType>(messagesFromAgent).map((schema) => [schema, byParsing('from-agent')] as const),
      ...Object.values<z.ZodMiniType>(messagesFromHost).map((schema) => [schema, byParsing('from-host')] as const),
      ...Object.entries(controlResponses).map(
        ([subtype, schema]) => [schema as z.ZodMiniType, byChecking(answerCheck(subtype))] as const,
      ),
      ...Object.entries({ ...minimal }).map(
        ([name, schema]) => [schema as z.ZodMiniType, byChecking(checks[name])] as const,
      ),
    ];
    const mutants = fc
      .constantFrom(...refusals)
      .chain(([schema, issues]) => valuesOf(schema).chain((value) => mutantsOf(value).map((mutant) => issues(mutant))));
    let refused = 0;
    fc.assert(
      fc.property(mutants, (issues) => {
        for (const { message } of issues) expect(message).not.toMatch(EMPTY_WORDS);
        refused += issues.length;
      }),
      { numRuns: 5000 },
    );
    expect(refused).toBeGreaterThan(500);
  });

  test.each([
    [{ behavior: 'maybe' }, minimalChecks.permissionResult, 'expected "allow" or "deny"'],
    [{ action: 5 }, minimalChecks.elicitationResult, 'expected "accept" or "decline" or "cancel"'],
    [{ sandbox_enabled: 5 }, answerCheck('initialize'), /^expected /],
  ])('%j', (value, check, message) => {
    expect(issueOf(check as never, value).message).toMatch(message);
  });

  test('names the kind of a map in a message with further issues', () => {
    const usage = { input_tokens: 1, output_tokens: 1 };
    const result = { type: 'result', subtype: 'success', is_error: false, num_turns: 1, result: '', usage };
    const members = { duration_ms: 1, duration_api_ms: 1, stop_reason: null, total_cost_usd: 0 };
    const issues = byParsing('from-agent')({ ...result, ...members });
    expect(issues).toEqual([{ path: ['modelUsage'], message: 'expected object' }]);
  });
});

function byParsing(direction: Direction): (value: unknown) => readonly Issue[] {
  return (value) => {
    const parsed = parseMessage(value, { direction, mode: 'strict' });
    return parsed.kind === 'invalid' ? parsed.issues : [];
  };
}

function byChecking(passes: Check = () => true): (value: unknown) => readonly Issue[] {
  return (value) => (passes(value) ? [] : [issueOf(passes, value)]);
}
