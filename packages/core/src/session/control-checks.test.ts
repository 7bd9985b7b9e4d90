import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type * as z from 'zod/mini';
import { flattenIssues } from '../drift/zod-issues.ts';
import { controlRequests, controlResponses } from '../schemas/control/requests.ts';
import { controlRequestFrame } from '../schemas/control-frames.ts';
import {
  type Checked,
  checkControlRequest,
  checkHookCallback,
  checkHookOutput,
  checkInterruptReceipt,
  checkPermissionRequest,
  checkPermissionResult,
} from './control-checks.ts';
import { isRecord } from './control-frames.ts';

/** A guard, the schema for the same values, and the paths that the guard checks. */
interface Pair {
  readonly guard: (value: unknown) => Checked<unknown>;
  readonly schema: z.ZodMiniType;
  readonly looks: RegExp;
}

interface Recorded {
  readonly frame: { readonly type: string; readonly request?: unknown; readonly response?: unknown };
  /** The subtype of the answered request. */
  readonly answers?: string;
}

const DECISION = 'behavior|updatedInput|updatedPermissions|toolUseID|message|interrupt';
const PAIRS: Readonly<Record<string, Pair>> = {
  control_request: {
    guard: checkControlRequest,
    schema: controlRequestFrame,
    looks: /^(|request_id|request|request\.subtype)$/,
  },
  can_use_tool: {
    guard: checkPermissionRequest,
    schema: controlRequests.can_use_tool,
    looks: /^(|tool_name|input|tool_use_id)$/,
  },
  hook_callback: {
    guard: checkHookCallback,
    schema: controlRequests.hook_callback,
    looks: /^(|callback_id|tool_use_id|input|input\.hook_event_name)$/,
  },
  'can_use_tool answer': {
    guard: checkPermissionResult,
    schema: controlResponses.can_use_tool,
    looks: new RegExp(`^(|${DECISION})$`),
  },
  'hook_callback answer': {
    guard: checkHookOutput,
    schema: controlResponses.hook_callback,
    looks: new RegExp(
      '^(|async|asyncTimeout|continue|stopReason|decision|reason|systemMessage|hookSpecificOutput' +
        `|hookSpecificOutput\\.(hookEventName|permissionDecision|permissionDecisionReason|updatedInput|decision(\\.(${DECISION}))?))$`,
    ),
  },
  'interrupt answer': { guard: checkInterruptReceipt, schema: controlResponses.interrupt, looks: /^/ },
};

const file = new URL('../../testdata/control-frames.ndjson', import.meta.url);
const recorded = readFileSync(file, 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as Recorded);

/** The values to check in a frame: the frame and its payload. */
const values = recorded.flatMap(({ frame, answers }): [kind: string, value: unknown][] => {
  const { type, request, response } = frame;
  const inner: [string, unknown] =
    type === 'control_request'
      ? [isRecord(request) ? String(request['subtype']) : '', request]
      : [`${answers} answer`, isRecord(response) ? response['response'] : undefined];
  return ([[type, frame], inner] as [string, unknown][]).filter(
    ([kind, value]) => kind in PAIRS && value !== undefined,
  );
});
// Answers that no recording contains.
values.push(
  [
    'hook_callback answer',
    { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: 'allow' } } },
  ],
  ['hook_callback answer', { hookSpecificOutput: { hookEventName: 'PreModelSwitch', permissionDecision: 'deny' } }],
  ['hook_callback answer', { async: true, asyncTimeout: 100 }],
  ['interrupt answer', { still_queued: ['a'], cancelled: ['b'] }],
);

/** The paths where the guard and the schema report an issue, limited to the paths that the guard checks. */
function verdicts(kind: string, value: unknown): { guard: string[]; schema: string[] } {
  const pair = PAIRS[kind];
  if (pair === undefined) throw new Error(`no pair for ${kind}`);
  const { guard, schema, looks } = pair;
  const places = (issues: readonly { readonly path: readonly PropertyKey[] }[] = []) =>
    [...new Set(issues.map(({ path }) => path.join('.')))].toSorted();
  const bySchema = places(flattenIssues(schema.safeParse(value).error?.issues ?? [])).filter((place) =>
    looks.test(place),
  );
  return { guard: places(guard(value).issues), schema: bySchema };
}

/** Expects the guard to report one of the issues of the schema. */
function agree(kind: string, value: unknown): void {
  const { guard, schema } = verdicts(kind, value);
  if (schema.length === 0) expect(guard, `${kind} ${JSON.stringify(value)}`).toEqual([]);
  else expect(schema, `${kind} ${JSON.stringify(value)}`).toContain(guard[0]);
}

interface Mutation {
  readonly at: number;
  readonly how: 'delete' | 'replace';
  readonly by: unknown;
}

/** A copy with a member deleted or replaced, somewhere within its first four levels. */
function mutate(value: unknown, { at, how, by }: Mutation): unknown {
  const copy: unknown = structuredClone(value);
  const places: (readonly [object: object, key: string])[] = [];
  const visit = (object: unknown, depth: number) => {
    if (typeof object !== 'object' || object === null || depth > 4) return;
    for (const key of Object.keys(object)) {
      places.push([object, key]);
      visit(Reflect.get(object, key), depth + 1);
    }
  };
  visit(copy, 1);
  const place = places[at % Math.max(places.length, 1)];
  if (place === undefined) return by;
  if (how === 'delete') Reflect.deleteProperty(...place);
  else Reflect.set(...place, by);
  // JSON cannot express an array with a hole.
  return JSON.parse(JSON.stringify(copy));
}

describe('a guard and the schema for the same value', () => {
  test('agree on every recorded control frame', () => {
    expect(new Set(values.map(([kind]) => kind))).toEqual(new Set(Object.keys(PAIRS)));
    for (const [kind, value] of values) {
      agree(kind, value);
    }
  });

  test('agree on frames with members deleted and replaced', () => {
    const mutation = fc.record({
      at: fc.nat(500),
      how: fc.constantFrom('delete' as const, 'replace' as const),
      by: fc.oneof(fc.jsonValue({ maxDepth: 1 }), fc.constantFrom('allow', 'deny', 'error', 'PreToolUse', true, '')),
    });
    const mutated = fc
      .tuple(fc.constantFrom(...values), fc.array(mutation, { minLength: 1, maxLength: 4 }))
      .map(([[kind, value], mutations]) => [kind, mutations.reduce(mutate, value)] as const);
    fc.assert(
      fc.property(mutated, ([kind, value]) => {
        agree(kind, value);
      }),
      { numRuns: 5000 },
    );
  });
});

describe('a guard refuses an answer that a session must not act on', () => {
  test.each([
    ['a permission that neither allows nor denies', checkPermissionResult, { behavior: 'ask' }],
    ['a permission with the wrong letter case', checkPermissionResult, { behavior: 'Allow' }],
    ['a permission that is an array', checkPermissionResult, [{ behavior: 'allow' }]],
    ['a permission with the name of an inherited property', checkPermissionResult, { behavior: 'constructor' }],
    ['a permission with an invalid input', checkPermissionResult, { behavior: 'allow', updatedInput: null }],
    [
      'a hook output without the permission decision',
      checkHookOutput,
      { hookSpecificOutput: { hookEventName: 'PermissionRequest' } },
    ],
    ['an interrupt receipt with numbers', checkInterruptReceipt, { still_queued: [1] }],
  ])('%s', (_, check, value) => {
    expect(check(value)).toEqual({
      issues: [expect.objectContaining({ message: expect.stringMatching(/^expected /) })],
    });
  });

  test('but returns the same object for a valid answer', () => {
    const answer = { behavior: 'deny', mood: 'bad' };
    expect(checkPermissionResult(answer).value).toBe(answer);
  });
});
