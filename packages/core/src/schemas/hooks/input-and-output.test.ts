import { readFileSync } from 'node:fs';
import { verifies } from '@proto/test-support/verifies';
import { describe, expect, test } from 'vitest';
import { flattenIssues } from '../../drift/zod-issues.ts';
import { HOOK_EVENTS } from '../../messages/hook-events.ts';
import { hookInput, hookJSONOutput } from './input-and-output.ts';

interface Sample {
  readonly outcome: 'valid' | 'invalid';
  /** The path of the issue that zod reports for an invalid sample. */
  readonly path?: readonly (string | number)[];
  readonly input: { readonly hook_event_name: string };
}

const file = new URL('../../../testdata/hook-inputs.ndjson', import.meta.url);
const samples = readFileSync(file, 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as Sample);

describe('the input of a hook', () => {
  verifies('PARSE-5', 'has a valid sample and three invalid ones for each event', () => {
    for (const event of HOOK_EVENTS) {
      const outcomes = samples.filter(({ input }) => input.hook_event_name === event).map(({ outcome }) => outcome);
      expect(outcomes.toSorted(), event).toEqual(['invalid', 'invalid', 'invalid', 'valid']);
    }
    for (const { outcome, path, input } of samples) {
      const issues = flattenIssues(hookInput.safeParse(input).error?.issues ?? []);
      if (outcome === 'valid') expect(issues, JSON.stringify(input)).toEqual([]);
      else expect(issues, JSON.stringify(input)).toContainEqual(expect.objectContaining({ path }));
    }
  });

  test('passes unchanged for an unknown event, and requires an event name', () => {
    const input = { hook_event_name: 'MoonRise', phase: { full: true } };
    expect(hookInput.safeParse(input)).toEqual({ success: true, data: input });
    expect(flattenIssues(hookInput.safeParse({ hook_event_name: 1 }).error?.issues ?? [])).toMatchObject([{ path: ['hook_event_name'] }]);
    expect(hookInput.safeParse(null).success).toBe(false);
  });
});

const pathsOf = (value: unknown) => flattenIssues(hookJSONOutput.safeParse(value).error?.issues ?? []).map(({ path }) => path.join('.'));

test.each([
  ['no decision', {}],
  ['a block', { decision: 'block', reason: 'not today' }],
  ['a stop', { continue: false, stopReason: 'enough' }],
  ['a decision about a call', { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'defer' } }],
  ['a permission', { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: 'allow' } } }],
  ['a worktree', { hookSpecificOutput: { hookEventName: 'WorktreeCreate', worktreePath: '/workspace/w' } }],
  ['an unknown event', { hookSpecificOutput: { hookEventName: 'MoonRise', howl: 3 } }],
  ['an async output', { async: true, asyncTimeout: 5000 }],
  ['unknown members', { mood: 'fine' }],
])('a hook may answer with %s', (_, output) => {
  expect(pathsOf(output)).toEqual([]);
});

test.each([
  ['a text', 'block', ''],
  ['a text for a flag', { continue: 'no' }, 'continue'],
  ['a wrong time', { async: true, asyncTimeout: 'soon' }, 'asyncTimeout'],
  ['no event', { hookSpecificOutput: { permissionDecision: 'allow' } }, 'hookSpecificOutput.hookEventName'],
  ['an unknown permission', permission({ behavior: 'maybe' }), 'hookSpecificOutput.decision.behavior'],
  ['a permission with an invalid input', permission({ behavior: 'allow', updatedInput: [] }), 'hookSpecificOutput.decision.updatedInput'],
  ['no worktree', { hookSpecificOutput: { hookEventName: 'WorktreeCreate' } }, 'hookSpecificOutput.worktreePath'],
])('a hook may not answer with %s', (_, output, path) => {
  expect(pathsOf(output)).toEqual([path]);
});

function permission(decision: object): object {
  return { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } };
}
