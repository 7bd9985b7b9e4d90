import { mkdtemp, readFile, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type CaseResult, selectCases, testAgent } from '@proto/conformance';
import { parseRecording } from '@proto/recording';
import { describe, expect, test } from 'vitest';

const AGENT = fileURLToPath(new URL('../../packages/cli/dist/agent.js', import.meta.url));
// Names of the prompt map for which `sjp-agent` has no command.
const WITHOUT = ['clear', 'compact', 'elicitation', 'remember'];

/** The cases that did not pass, with the reasons. */
function notPassed(results: readonly CaseResult[]): string[] {
  return results
    .filter(({ verdict }) => verdict !== 'passed')
    .map(({ id, verdict, reason, failures }) =>
      [`${verdict} ${id}`, reason ?? '', ...failures.map(({ spec, message }) => `${spec}: ${message}`)].join(' '),
    );
}

describe('the cases of agents', () => {
  test('hold for sjp-agent', { timeout: 1_200_000 }, async () => {
    const cases = selectCases('agent');
    expect(cases.length).toBeGreaterThan(150);
    const traceFolder = await mkdtemp(join(tmpdir(), 'sjp-traces-'));
    const results = await testAgent({ agent: { command: AGENT, args: [] }, cases, traceFolder });
    const missing = new RegExp(`^not-declared \\S+ The prompt map has no entry "(${WITHOUT.join('|')})"\\.$`);
    expect(notPassed(results).filter((text) => !missing.test(text))).toEqual([]);
    const traces = await readdir(traceFolder);
    expect(traces.length).toBeGreaterThan(150);
    for (const name of traces) parseRecording(await readFile(join(traceFolder, name), 'utf8'));
  });
});
