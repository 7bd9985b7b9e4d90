import { describe, expect, test } from 'vitest';

import { type Profile, profileOf, profilesOfSide } from '../cases/profiles.ts';
import { selectCases } from '../cases/suite.ts';
import { parseReporter } from '../reporters/reporter.ts';
import { resultLines } from '../reporters/text.ts';
import { applyBaseline, BaselineError, parseBaseline } from './baseline.ts';
import { createReport, exitCodeOf } from './report.ts';
import { type CaseResult, type Report, type Verdict, verdictOf } from './result.ts';

function result(id: string, verdict: Verdict, more: Partial<CaseResult> = {}): CaseResult {
  const failure = {
    spec: 'FRM-1',
    level: 'must' as const,
    step: 2,
    message: 'No message <arrived> | in "time" \u0001',
  };
  const failures = verdict === 'failed' || verdict === 'warned' ? [failure] : [];
  return { id, title: 'A line is one object.', spec: ['FRM-1'], level: 'must', verdict, ms: 12, failures, ...more };
}

const known = new Set(['agent/a/one', 'agent/a/two', 'agent/a/three']);
const report = (results: CaseResult[]) => createReport({ program: 'agent', side: 'agent', ms: 1234, results });

describe('the list of expected failures', () => {
  const listed = [{ case: 'agent/a/one', reason: 'a known deviation' }];

  test('a listed failure is expected', () => {
    const { results, stale } = applyBaseline([result('agent/a/one', 'failed')], listed, known);
    expect(results[0]?.expectedBecause).toBe('a known deviation');
    expect(stale).toEqual([]);
  });

  test.each(['passed', 'not-declared'] as const)('a listed case that is %s is stale', (verdict) => {
    expect(applyBaseline([result('agent/a/one', verdict)], listed, known).stale).toHaveLength(1);
  });

  test('a case that does not exist is stale, one that was not run is not', () => {
    const other = [{ case: 'agent/a/none', reason: 'a known deviation' }, ...listed];
    expect(applyBaseline([], other, known).stale).toEqual([
      expect.stringContaining('agent/a/none: this case does not exist'),
    ]);
  });

  test('an error of the suite is never expected', () => {
    expect(applyBaseline([result('agent/a/one', 'error')], listed, known).results[0]?.expectedBecause).toBeUndefined();
  });

  describe('a rule', () => {
    const rules = [{ rule: 'prompt/answered', reason: 'a known deviation' }];
    const broken = { spec: 'TRN-16', level: 'must', rule: 'prompt/answered', message: 'The prompt was lost.' } as const;
    const other = { spec: 'FRM-1', level: 'must', step: 2, message: 'No message arrived.' } as const;
    const apply = (failures: CaseResult['failures'], more: readonly Verdict[] = []) =>
      applyBaseline(
        [
          result('agent/a/one', verdictOf(failures), { failures }),
          ...more.map((verdict, at) => result(`agent/a/${at === 0 ? 'two' : 'three'}`, verdict)),
        ],
        rules,
        known,
      );

    test('does not count in a case that breaks nothing else', () => {
      const { results, expectedRules } = apply([broken]);
      expect(results[0]).toMatchObject({ verdict: 'passed', failures: [], expectedRules: ['prompt/answered'] });
      expect(expectedRules).toEqual([{ rule: 'prompt/answered', cases: 1, reason: 'a known deviation' }]);
    });

    test('leaves everything else that is wrong', () => {
      expect(apply([broken, other]).results[0]).toMatchObject({ verdict: 'failed', failures: [other] });
      expect(apply([other]).results[0]).toMatchObject({ verdict: 'failed', failures: [other] });
    });

    test('is stale when a whole run has kept it, and not when only some cases were run', () => {
      expect(apply([]).stale).toEqual([]);
      expect(apply([], ['passed', 'not-declared']).stale).toEqual([
        expect.stringContaining('rule prompt/answered: no case breaks this rule'),
      ]);
      expect(apply([broken], ['passed', 'passed']).stale).toEqual([]);
    });

    test('is not stale after a run of generated sessions, because the seed decides which rules are broken', () => {
      const generated = [result('agent/random/seed-1-session-1', 'passed')];
      expect(applyBaseline(generated, rules, known).stale).toEqual([]);
    });

    test('is written into the reports once, with its reason', () => {
      const failures = [broken];
      const run = { program: 'agent', side: 'agent' as const, ms: 1, results: [result('a', 'failed', { failures })] };
      const withRule = createReport(run, rules);
      expect(exitCodeOf(withRule)).toBe(0);
      expect(parseReporter('markdown')?.reporter(withRule)).toContain('| `prompt/answered` | 1 | a known deviation |');
      expect(parseReporter('text')?.reporter(withRule)).toContain(
        'broken as expected in 1 case: rule prompt/answered: a known deviation',
      );
    });
  });

  test.each([
    ['no reason', '- case: agent/a/one'],
    ['a case and a rule', '- {case: agent/a/one, rule: prompt/answered, reason: because of it}'],
    ['a rule twice', '- {rule: a/b, reason: because of it}\n- {rule: a/b, reason: because of it}'],
    ['a short reason', '- {case: agent/a/one, reason: no}'],
    ['twice', '- {case: a, reason: because of it}\n- {case: a, reason: because of it}'],
    ['no list', 'case: a'],
    ['no YAML', '- [}'],
  ])('refuses a list with %s', (_title, text) => {
    expect(() => parseBaseline(text)).toThrow(BaselineError);
  });

  test('reads YAML, and an empty file', () => {
    expect(parseBaseline('- case: a/b\n  reason: "the vendor does so"')).toEqual([
      { case: 'a/b', reason: 'the vendor does so' },
    ]);
    expect(parseBaseline('# nothing\n')).toEqual([]);
  });
});

describe('the exit code', () => {
  test.each([
    ['all passed', ['passed', 'not-declared'], false, 0],
    ['a failure', ['passed', 'failed'], false, 6],
    ['a warning', ['passed', 'warned'], false, 0],
    ['a warning, strictly', ['passed', 'warned'], true, 6],
    ['an error of the suite', ['failed', 'error'], false, 1],
    ['nothing applied', ['not-declared'], false, 1],
    ['no case', [], false, 1],
  ] as const)('%s', (_title, verdicts, strict, code) => {
    expect(exitCodeOf(report(verdicts.map((verdict, at) => result(`agent/a/${at}`, verdict))), strict)).toBe(code);
  });

  test('a broken should warns, a broken must fails', () => {
    const failure = { spec: 'FRM-1', message: 'x' };
    expect(verdictOf([])).toBe('passed');
    expect(verdictOf([{ ...failure, level: 'should' }])).toBe('warned');
    expect(
      verdictOf([
        { ...failure, level: 'should' },
        { ...failure, level: 'must' },
      ]),
    ).toBe('failed');
  });
});

/** Results of the suite's cases for agents, or of the cases of a profile. A case that is not named has passed. */
function results(profile?: Profile, verdicts: Readonly<Record<string, Verdict>> = {}): CaseResult[] {
  return selectCases('agent')
    .filter((entry) => profile === undefined || profileOf(entry) === profile)
    .map(({ id, level }) => result(id, verdicts[id] ?? 'passed', { level }));
}

describe('the score', () => {
  const one = 'agent/turns/one-result';

  test('exists for a whole run and for each profile in it', () => {
    const whole = report(results());
    expect(whole).toMatchObject({ scope: 'suite', score: 100 });
    expect(whole.profiles.map(({ profile, score }) => [profile, score])).toEqual(
      profilesOfSide('agent').map((profile) => [profile, 100]),
    );
  });

  test('exists for a profile', () => {
    const core = report(results('core', { [one]: 'failed' }));
    expect(core).toMatchObject({ scope: 'core', profiles: [{ profile: 'core', score: core.score }] });
    expect(core.score).toBe(Math.floor(((core.must.all - 1) / core.must.all) * 100));
  });

  test('does not exist for another part of the suite', () => {
    const part = report([result(one, 'passed')]);
    expect(part).toMatchObject({ scope: 'part', profiles: [], must: { passed: 1, applied: 1 } });
    expect(part).not.toHaveProperty('score');
    expect(parseReporter('text')?.reporter(part)).toContain('Partial run: no score');
    expect(parseReporter('markdown')?.reporter(part)).toContain('Partial run: no score');
    expect(report(results('core').slice(1))).not.toHaveProperty('score');
  });

  test('is at most 99 if a case of a weaker level has failed, or if a failure was expected', () => {
    const should = 'agent/framing/byte-order-mark';
    const run = { program: 'agent', side: 'agent' as const, ms: 1, results: results('core', { [should]: 'failed' }) };
    expect(createReport(run)).toMatchObject({ score: 99 });
    expect(createReport(run, [{ case: should, reason: 'a known deviation' }])).toMatchObject({ score: 99 });
    const failures = [{ spec: 'TRN-16', level: 'must' as const, rule: 'prompt/answered', message: 'It was lost.' }];
    const broken = run.results.map((each) =>
      each.id === one ? { ...each, verdict: 'failed' as const, failures } : each,
    );
    const withRule = createReport({ ...run, results: broken }, [
      { rule: 'prompt/answered', reason: 'a known deviation' },
    ]);
    expect(withRule).toMatchObject({ counts: { failed: 1 }, score: 99 });
  });

  test('of a profile is absent if most of its cases do not apply', () => {
    const hooks = selectCases('agent').filter((entry) => profileOf(entry) === 'hooks');
    const none = Object.fromEntries(hooks.slice(1).map(({ id }) => [id, 'not-declared' as const]));
    const whole = report(results(undefined, none));
    expect(whole.profiles.find(({ profile }) => profile === 'hooks')).not.toHaveProperty('score');
    expect(parseReporter('text')?.reporter(whole)).toMatch(
      /^hooks +no score, because only \d of \d+ MUST cases apply$/m,
    );
    expect(JSON.parse(parseReporter('badge')?.reporter(whole) ?? '')).toMatchObject({
      message: 'conforms: core, sessions, permissions, mcp',
    });
  });
});

describe('a failure that several cases have in common', () => {
  const rule = { spec: 'TRN-16', level: 'must', rule: 'prompt/answered', message: 'The prompt was lost.' } as const;
  const step = { spec: 'FRM-1', level: 'must', step: 2, message: 'No message arrived.' } as const;
  const broken = (id: string, failures: CaseResult['failures']) => result(id, verdictOf(failures), { failures });
  const common = report([
    broken('agent/a/one', [rule]),
    broken('agent/a/two', [rule]),
    broken('agent/b/three', [step, { ...rule, message: 'Another prompt was lost.' }]),
    broken('agent/b/four', [step]),
  ]);
  const write = (name: string) => parseReporter(name)?.reporter(common) ?? '';

  test('is one finding with its cases', () => {
    expect(common.findings).toEqual([{ ...rule, cases: ['agent/a/one', 'agent/a/two', 'agent/b/three'], alone: 2 }]);
    expect(report([broken('agent/a/one', [rule]), broken('agent/a/two', [rule])]).findings).toEqual([]);
  });

  test('is one finding if the cases could not be run', () => {
    const silent = { spec: 'CTL-3', level: 'must', message: 'The case was not run.' } as const;
    const run = report(['one', 'two', 'three'].map((name) => broken(`agent/a/${name}`, [silent])));
    expect(run.findings).toMatchObject([{ message: 'The case was not run.', alone: 3 }]);
  });

  test('is reported once, and first', () => {
    expect(write('text')).toMatch(
      /^\nCommon to several cases[^]*3 cases \(2 failed only because of this\): TRN-16 [^]*Rule prompt\/answered: The prompt was lost\. \(agent\/a\/one\)/,
    );
    expect(write('markdown').match(/prompt was lost/g)).toHaveLength(1);
    expect(write('markdown')).toContain('| `agent/b/three` | failed | 1.1 (FRM-1) | No message arrived. |');
    expect(write('markdown')).not.toContain('| `agent/a/two`');
    expect(write('github').match(/^::error.*/gm)).toEqual([
      expect.stringContaining('title=3 cases::TRN-16'),
      expect.stringContaining('title=agent/b/three::FRM-1'),
      expect.stringContaining('title=agent/b/four::FRM-1'),
    ]);
  });

  test('is only named in the lines of later cases', () => {
    const shown = new Set<string>();
    const lines = common.results.map((each) => resultLines(each, shown));
    expect(lines[0]).toContain('Rule prompt/answered: The prompt was lost.');
    expect(lines[1]).toBe('FAIL agent/a/two (12 ms)\n       again: rule prompt/answered\n');
    expect(lines[2]).toMatch(/FRM-1[^]*No message arrived[^]*again: rule prompt\/answered/);
    expect(lines[3]).toContain('No message arrived.');
  });
});

describe('reporters', () => {
  const wrong = report([
    result('agent/a/one', 'failed', { trace: 'traces/one.jsonl' }),
    result('agent/a/two', 'passed'),
    result('agent/b/three', 'not-declared', { reason: 'prompt.tool' }),
    result('agent/b/four', 'error', { reason: 'the suite stumbled' }),
    result('agent/b/five', 'failed', { expectedBecause: 'a known deviation' }),
  ]);
  const write = (name: string) => parseReporter(name)?.reporter(wrong) ?? '';

  test('JUnit counts and escapes', () => {
    const xml = write('junit');
    expect(xml).toContain('tests="5" failures="1" errors="1" skipped="2"');
    expect(xml).toContain('No message &lt;arrived&gt; | in &quot;time&quot; \uFFFD');
    expect(xml.match(/<testsuite /g)).toHaveLength(2);
    expect(xml).toContain('<failure type="section 1.1"');
  });

  test('Markdown keeps texts inside their cells', () => {
    expect(write('markdown')).toContain(
      '| `agent/a/one` | failed | 1.1 (FRM-1) | No message &lt;arrived> \\| in "time"',
    );
  });

  test('annotations cannot be forged', () => {
    const text = parseReporter('github')?.reporter(
      report([
        result('agent/a/one', 'failed', { failures: [{ spec: 'FRM-1', level: 'must', message: 'x\n::error::y' }] }),
      ]),
    );
    expect(text?.split('\n').filter((line) => line.startsWith('::'))).toHaveLength(1);
  });

  test('the badge shows the score of the suite or of a profile', () => {
    const badge = (run: Report) => JSON.parse(parseReporter('badge')?.reporter(run) ?? '');
    expect(badge(wrong)).toMatchObject({ message: 'partial run: no score', color: 'lightgrey' });
    expect(badge(report(results()))).toMatchObject({ schemaVersion: 1, message: 'conforms', color: 'brightgreen' });
    const core = report(results('core', { 'agent/turns/one-result': 'failed' }));
    expect(badge(core)).toMatchObject({
      label: expect.stringMatching(/ agent core$/),
      message: `${core.must.passed}/${core.must.all} MUST`,
      color: 'yellow',
    });
    expect(badge(report(results('core')))).toMatchObject({ message: 'conforms', color: 'brightgreen' });
  });

  test('notes are in the text and in the page', () => {
    const noted = createReport({ program: 'agent', side: 'agent', ms: 1, results: [], notes: ['The agent is slow.'] });
    for (const name of ['text', 'markdown', 'github'])
      expect(parseReporter(name)?.reporter(noted)).toMatch(/^The agent is slow\.$/m);
  });

  test('JSON is the report', () => {
    expect(JSON.parse(write('json'))).toMatchObject({
      counts: { failed: 1, expectedFailures: 1, errors: 1 },
      side: 'agent',
    });
  });

  test('the text names the requirement, its section and the trace', () => {
    const [failed] = wrong.results;
    expect(failed && resultLines(failed)).toMatch(
      /^FAIL agent\/a\/one[^]*FRM-1 \(section 1\.1\): The writer MUST[^]*trace: traces\/one\.jsonl/,
    );
    expect(write('text')).toContain(
      '1 passed, 1 failed, 0 warnings, 1 not declared, 1 failed as expected, 1 errors of the suite',
    );
  });

  test('reads NAME and NAME=FILE', () => {
    expect(parseReporter('junit=out.xml')).toMatchObject({ name: 'junit', file: 'out.xml' });
    expect(parseReporter('junit=')).toBeUndefined();
    expect(parseReporter('toString')).toBeUndefined();
  });
});
