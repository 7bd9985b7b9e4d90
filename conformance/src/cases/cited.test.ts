import { StepError } from '@proto/testkit/steps';
import { describe, expect, test } from 'vitest';

import type { Case } from './case-schema.ts';
import { citedBy } from './cited.ts';
import { loadSuite } from './suite.ts';

describe('citedBy', () => {
  const entry = { ...(loadSuite().cases[0] as Case), spec: ['TRN-1', 'TRN-2'], level: 'should' } as const;

  test('names the requirement of the step, or the main one of the case', () => {
    expect(citedBy(new StepError(1, 'expect', 'late', { expect: {}, spec: 'TRN-2' }), entry).spec).toBe('TRN-2');
    expect(citedBy(new StepError(1, 'expect', 'late', { expect: {} }), entry)).toEqual({
      spec: 'TRN-1',
      level: 'should',
    });
  });

  test('names the requirement of the innermost step that has one', () => {
    const inner = (step: object) => new StepError(2, 'expect', 'late', { expect: {}, ...step });
    const outer = (step: object) => new StepError(1, 'repeat', inner(step), { repeat: 2, spec: 'TRN-3' });
    expect(citedBy(outer({ spec: 'TRN-2' }), entry).spec).toBe('TRN-2');
    expect(citedBy(outer({}), entry).spec).toBe('TRN-3');
  });
});
