import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { loadSuite, selectCases } from '../cases/suite.ts';
import type { CaseResult } from '../results/result.ts';
import { testAgent, type TestAgentOptions } from './test-agent.ts';

/** An agent in plain JavaScript that follows the specification. */
export const FIXTURE = new URL('../../fixtures/agent.mjs', import.meta.url);

const folder = mkdtempSync(join(tmpdir(), 'sjp-agents-'));
let written = 0;

export function script(code: string): string {
  const path = join(folder, `agent-${(written += 1)}.mjs`);
  writeFileSync(path, code);
  return path;
}

export function fixtureAfter(code: string): string {
  return script(`${code}\nif (!process.argv.includes('-v')) await import(${JSON.stringify(FIXTURE.href)});
else console.log('1.0.0 (fixture)');`);
}

/** The agent in plain JavaScript, in which the code runs before each chunk that contains the text is read. The code may replace `chunk`. */
export function fixtureAtChunk(text: string, code: string): string {
  return fixtureAfter(`
    const push = process.stdin.push;
    process.stdin.push = function (chunk) {
      if (chunk && String(chunk).includes(${JSON.stringify(text)})) { ${code} }
      return push.call(this, chunk);
    };`);
}

export function testWith(
  command: string,
  include: readonly string[],
  options: Partial<TestAgentOptions> = {},
): Promise<CaseResult[]> {
  if (loadSuite().cases.length === 0) throw new Error('The suite has no cases: build the package first.');
  return testAgent({ agent: { command, args: [] }, cases: selectCases('agent', include), ...options });
}

/** The broken rules, or the broken requirement if a failure has no rule. */
export function wrongIn(results: readonly CaseResult[]): string[] {
  return [...new Set(results.flatMap(({ failures }) => failures.map(({ rule, spec }) => rule ?? spec)))].toSorted();
}
