import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Case } from '../cases/case-schema.ts';
import type { CaseResult } from '../results/result.ts';
import { testHost, type TestHostOptions } from './test-host.ts';

/** The factor for time limits of two seconds, so that a test with a host that does nothing ends soon. */
const QUICK = 0.2;

/** By default, the steps are one prompt and the turn of the prompt. */
export function caseOf(entry: Partial<Case> = {}): Case {
  return {
    id: 'host/test/one',
    title: 'A prompt has a turn.',
    side: 'host',
    spec: ['TRN-1'],
    level: 'must',
    needs: [],
    start: {},
    steps: [{ 'expect-prompt': 'Hello' }, { turn: 'Hi.' }],
    ...entry,
  };
}

export async function tryProgram(
  source: string,
  cases: readonly Case[] = [caseOf()],
  options: Partial<TestHostOptions> = {},
): Promise<CaseResult[]> {
  const folder = mkdtempSync(join(tmpdir(), 'sjp-program-'));
  const path = join(folder, 'program.mjs');
  writeFileSync(path, source);
  try {
    return await testHost({ command: [process.execPath, path], cases, timeoutScale: QUICK, ...options });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The arguments with which a host starts its agent, as JavaScript. */
export const ARGUMENTS = JSON.stringify(
  '--output-format stream-json --verbose --input-format stream-json --permission-prompt-tool stdio'.split(' '),
);

/** The smallest useful host, as a program without the adapter protocol. `after` is code that runs for each message. */
export const smallHost = (after = ''): string => `
  import { spawn } from 'node:child_process';
  import { createInterface } from 'node:readline';

  const { prompts, answers } = JSON.parse(process.env.SJP_CONFORMANCE_SCENARIO);
  const agent = spawn(process.env.SJP_CONFORMANCE_AGENT, ${ARGUMENTS}, { stdio: ['pipe', 'pipe', 'inherit'] });
  const write = (message) => agent.stdin.write(JSON.stringify(message) + '\\n');
  write({ type: 'control_request', request_id: 'r1', request: { subtype: 'initialize' } });
  write({ type: 'user', message: { role: 'user', content: prompts[0] }, parent_tool_use_id: null });
  createInterface({ input: agent.stdout }).on('line', (line) => {
    const message = JSON.parse(line);
    if (message.type === 'control_request') {
      const answer = message.request.subtype === 'can_use_tool' ? answers.permission : undefined;
      write({ type: 'control_response', response: answer?.value
        ? { subtype: 'success', request_id: message.request_id, response: answer.value }
        : { subtype: 'error', request_id: message.request_id, error: 'not served' } });
    } else if (message.type === 'result') agent.stdin.end();
    if (!message.type.startsWith('control_')) console.log(line);
    ${after}
  });
`;
