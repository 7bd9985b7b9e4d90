import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { loadSuite, selectCases } from '../cases/suite.ts';
import type { CaseResult } from '../results/result.ts';
import { testAgent, type TestAgentOptions } from './test-agent.ts';

/** An agent of plain JavaScript that keeps the specification. */
export const FIXTURE = new URL('../../fixtures/agent.mjs', import.meta.url);

const folder = mkdtempSync(join(tmpdir(), 'sjp-agents-'));
let written = 0;

/** A script that runs as an agent. */
export function script(code: string): string {
  const path = join(folder, `agent-${(written += 1)}.mjs`);
  writeFileSync(path, code);
  return path;
}

/** A script that does something before it becomes the agent of plain JavaScript. */
export function fixtureAfter(code: string): string {
  return script(`${code}\nif (!process.argv.includes('-v')) await import(${JSON.stringify(FIXTURE.href)});
else console.log('1.0.0 (fixture)');`);
}

/** The agent of plain JavaScript, where the code runs before it reads a chunk that has a text. `chunk` may be replaced. */
export function fixtureAtChunk(text: string, code: string): string {
  return fixtureAfter(`
    const push = process.stdin.push;
    process.stdin.push = function (chunk) {
      if (chunk && String(chunk).includes(${JSON.stringify(text)})) { ${code} }
      return push.call(this, chunk);
    };`);
}

/** Tests an agent with the cases of a few names. */
export function testWith(
  command: string,
  include: readonly string[],
  options: Partial<TestAgentOptions> = {},
): Promise<CaseResult[]> {
  if (loadSuite().cases.length === 0) throw new Error('The suite has no cases: build the package first.');
  return testAgent({ agent: { command, args: [] }, cases: selectCases('agent', include), ...options });
}

/** What is wrong, as rules and requirements. */
export function wrongIn(results: readonly CaseResult[]): string[] {
  return [...new Set(results.flatMap(({ failures }) => failures.map(({ rule, spec }) => rule ?? spec)))].toSorted();
}
