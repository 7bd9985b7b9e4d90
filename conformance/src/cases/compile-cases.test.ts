import { describe, expect, test } from 'vitest';

import { compileCases } from './compile-cases.ts';
import { isSelected, loadSuite } from './suite.ts';

const requirements = [
  { id: 'TRN-1', section: '4.1', title: 'Prompts', level: 'SHOULD', roles: ['agent'], text: 'An agent SHOULD answer.' },
  {
    id: 'TRN-2',
    section: '4.2',
    title: 'A turn',
    level: 'MUST NOT',
    roles: ['agent'],
    text: 'An agent MUST NOT stay silent.',
  },
];
const compile = (text: string) => compileCases([{ side: 'agent', subject: 'turns', text }], requirements);
const good = '{id: agent/turns/one, title: A prompt has a result., spec: [TRN-1], steps: [{expect: {type: result}}]}';

describe('compileCases', () => {
  test('takes the strongest level of the requirements', () => {
    expect(compile(`- ${good}`)).toMatchObject({
      problems: [],
      cases: [{ level: 'should', side: 'agent', needs: [], start: {} }],
    });
    expect(compile(`- ${good.replace('[TRN-1]', '[TRN-2, TRN-1]')}`).cases[0]?.level).toBe('must');
  });

  test.each([
    ['an unknown requirement', good.replace('TRN-1', 'TRN-9'), /cites TRN-9/],
    ['an unknown verb', good.replace('expect', 'expct'), /step 1 has no verb of this side/],
    [
      'an unknown modifier',
      good.replace('{expect: {type: result}}', '{expect: {type: result}, wihtin: 3}'),
      /step 1 \(expect\)/,
    ],
    ['an unknown matcher', good.replace('{type: result}', '{$contian: a}'), /unknown matcher "\$contian"/],
    ['another subject', good.replace('turns/one', 'other/one'), /is in turns\.yaml/],
    ['an unknown field', good.replace('spec:', 'level: must, extra: 1, spec:'), /extra/],
    [
      'neither steps nor a generator',
      '{id: agent/turns/one, title: A prompt has a result., spec: [TRN-1]}',
      /needs either/,
    ],
    [
      'an unknown requirement of a step',
      good.replace('{type: result}}', '{type: result}, spec: TRN-9}'),
      /cites TRN-9/,
    ],
    ['a main requirement that is weaker', good.replace('[TRN-1]', '[TRN-1, TRN-2]'), /its main requirement is TRN-1/],
    [
      'a requirement of a step that is weaker',
      good.replace('[TRN-1]', '[TRN-2]').replace('{type: result}}', '{type: result}, spec: TRN-1}'),
      /a step is TRN-1/,
    ],
    ['an id twice', `${good}\n- ${good}`, /Two cases have the id/],
  ])('refuses %s', (_title, entry, problem) => {
    expect(compile(`- ${entry}`).problems.join('\n')).toMatch(problem);
  });

  test('names that begin with $ may be sent', () => {
    expect(compile(`- ${good.replace('{expect: {type: result}}', '{say: {$ref: x}}')}`).problems).toEqual([]);
  });
});

test('selects cases by id, folder, pattern and requirement', () => {
  const entry = { id: 'agent/turns/one', spec: ['TRN-1'] };
  expect(
    ['agent/turns/one', 'agent/turns', 'agent/turns/', 'agent', '*one', 'agent/*/o*', 'TRN-1'].filter(
      (name) => !isSelected(entry, name),
    ),
  ).toEqual([]);
  expect(['agent/turn', 'one', '*two', 'TRN-2', 'agent/turns/o'].filter((name) => isSelected(entry, name))).toEqual([]);
});

test('the suite that is built in has cases, and at most a tenth of them are made by a generator', () => {
  const { cases } = loadSuite();
  expect(cases.filter(({ generator }) => generator !== undefined).length).toBeLessThanOrEqual(cases.length / 10);
});
