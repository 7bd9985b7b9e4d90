import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

import { ProgramNotStarted } from '../run/test-options.ts';
import { ARGUMENTS, caseOf, smallHost, tryProgram } from './programs.test-support.ts';

const asks = [
  { 'expect-prompt': 'Hello' },
  { 'begin-turn': {} },
  { request: { subtype: 'can_use_tool', tool_name: 'Bash', input: {}, tool_use_id: 'toolu_1' }, as: 'ask' },
  { 'expect-answer': 'ask', with: { behavior: 'deny', message: 'no' } },
  { 'end-turn': {} },
];
const answers = { permission: { value: { behavior: 'deny', message: 'no' } } };

describe('a program that is started once a case', () => {
  test('passes with the prompt and the answers of its scenario', async () => {
    const question = caseOf({ id: 'host/test/two', steps: asks, start: { answers }, needs: ['permissions'] });
    const results = await tryProgram(smallHost(), [caseOf(), question], { features: ['permissions'], timeoutScale: 1 });
    expect(results).toMatchObject([
      { id: 'host/test/one', verdict: 'passed', failures: [] },
      { id: 'host/test/two', verdict: 'passed', failures: [] },
    ]);
  });

  test('hands on what it prints, if it declares messages', async () => {
    const steps = [...caseOf().steps, { 'expect-handed-on': { type: 'result', result: 'Hi.' } }];
    const entry = caseOf({ steps, needs: ['messages'] });
    const [declared] = await tryProgram(smallHost(), [entry], { features: ['messages'], timeoutScale: 1 });
    const [silent] = await tryProgram(smallHost(), [entry]);
    expect(declared?.verdict).toBe('passed');
    expect(silent).toMatchObject({ verdict: 'not-declared', reason: 'the host does not declare messages' });
  });

  test('is not blamed for requests that come after it had to end its input', async () => {
    const ending = smallHost().replace('createInterface({', 'agent.stdin.end();\n  createInterface({');
    const steps = [
      { 'expect-prompt': 'Hello' },
      { expect: { event: 'end-of-input' } },
      { request: { subtype: 'no_such_request' }, as: 'probe' },
      { 'expect-answer': 'probe', error: { $any: true } },
    ];
    const [result] = await tryProgram(ending, [caseOf({ steps })]);
    expect(result).toMatchObject({ verdict: 'not-declared', reason: expect.stringContaining('before step 4') });
  });

  test('removes its folder, and records the case on request', async () => {
    const print = 'if (message.type === "system") write({ type: "path", path: process.env.SJP_CONFORMANCE_AGENT });';
    const traceFolder = mkdtempSync(join(tmpdir(), 'sjp-trace-'));
    const [result] = await tryProgram(smallHost(print), [caseOf()], { timeoutScale: 1, traceFolder });
    const rows = readFileSync(String(result?.trace), 'utf8').trim().split('\n');
    rmSync(traceFolder, { recursive: true });
    const [header, ...entries] = rows.map((row) => JSON.parse(row));
    const said = entries.flatMap(({ line, dir }) => (line === undefined ? [] : [{ dir, ...JSON.parse(line) }]));
    expect(header).toMatchObject({ recording: 1, side: 'agent' });
    expect(said).toContainEqual(expect.objectContaining({ dir: 'from-agent', type: 'result' }));
    expect(entries).toContainEqual(expect.objectContaining({ dir: 'from-host', end: true }));
    expect(existsSync(said.find(({ type }) => type === 'path').path)).toBe(false);
  });
});

describe('a program that is not a host', () => {
  test.each([
    ['hangs', 'setInterval(() => {}, 1000);', /did not start the agent/],
    ['ends at once', '', /did not start the agent, and reported the end/],
    ['crashes', 'throw new Error("broken host");', /broken host/],
    ['writes garbage', 'console.log("}{"); console.log("\\u0000");', /did not start the agent/],
    [
      'starts the agent and says nothing',
      `import { spawn } from 'node:child_process';
       spawn(process.env.SJP_CONFORMANCE_AGENT, ${ARGUMENTS}, { stdio: ['pipe', 'ignore', 'ignore'] });`,
      /No message matched/,
    ],
    [
      'asks the agent for its version only',
      `import { spawnSync } from 'node:child_process';
       const { stdout } = spawnSync(process.env.SJP_CONFORMANCE_AGENT, ['-v']);
       if (!/^\\d+\\.\\d+\\.\\d+/.test(String(stdout))) throw new Error('no version');`,
      /did not start the agent, and reported the end/,
    ],
    ['keeps the input open', smallHost().replace('agent.stdin.end()', '{}'), /did not end the input/],
    [
      'crashes after the session',
      `${smallHost()}\nprocess.on('exit', () => { throw new Error('late crash'); });`,
      /the user got an error: .*late crash/s,
    ],
    ['never ends', `${smallHost()}\nsetInterval(() => {}, 1000);`, /did not end for the user/],
  ])('fails if it %s', async (_what, source, message) => {
    const [result] = await tryProgram(source);
    expect(result).toMatchObject({ verdict: 'failed', failures: [{ message: expect.stringMatching(message) }] });
  });

  test('is given up if it does not start the agent in any of six cases', async () => {
    const cases = Array.from({ length: 7 }, (_, at) => caseOf({ id: `host/test/case-${at}` }));
    const failed = await tryProgram('throw new Error("no such option");', cases).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(ProgramNotStarted);
    expect((failed as Error).message).toMatch(/in 6 cases.*no such option/s);
  });

  test('gets an error of the suite for a case without steps', async () => {
    const [result] = await tryProgram(smallHost(), [caseOf({ steps: [], generator: 'random' })]);
    expect(result).toMatchObject({ verdict: 'error', reason: expect.stringContaining('no steps') });
  });

  test('fails with the name of the program if it does not exist', async () => {
    const [result] = await tryProgram('', [caseOf()], { command: ['/nowhere/host'] });
    expect(result).toMatchObject({
      verdict: 'failed',
      failures: [{ message: expect.stringContaining('could not be started') }],
    });
  });
});

describe('rules of every session', () => {
  test.each([
    ['text between messages', 'if (message.type === "system") agent.stdin.write("debug\\n");', 'FRM-1', 'lines'],
    [
      'an answer to nothing',
      'if (message.type === "system") write({ type: "control_response", response: { subtype: "success", request_id: "x", response: {} } });',
      'CTL-5',
      'one-answer',
    ],
    ['a message without a type', 'if (message.type === "system") write({ kind: "user" });', 'MSG-1', 'valid-messages'],
    [
      'one id for two open requests',
      'if (message.type === "system") for (const id of ["a", "a"]) write({ type: "control_request", request_id: id, request: { subtype: "mcp_status" } });',
      'CTL-4',
      'unique-ids',
    ],
    [
      'a signal before the end of the input',
      'if (message.type === "result") agent.kill("SIGKILL");',
      'CLI-26',
      'end-before-signal',
    ],
  ])('find %s', async (_what, after, spec, rule) => {
    const source = smallHost(after)
      .replace('agent.stdin.end()', 'rule === "end-before-signal" || agent.stdin.end()')
      .replace('const { prompts', `const rule = "${rule}";\n const { prompts`);
    // Two requests are open together only while the agent does not answer them.
    const [result] = await tryProgram(source, [caseOf({ start: { hold: ['mcp_status'] } })], { timeoutScale: 1 });
    expect(result?.verdict).toBe('failed');
    expect(result?.failures).toContainEqual(expect.objectContaining({ spec, rule }));
  });

  test('find a request that was never answered', async () => {
    const steps = [{ 'expect-prompt': 'Hello' }, { request: { subtype: 'no_such_request' } }, { turn: 'Hi.' }];
    const silent = smallHost().replace(
      "message.type === 'control_request'",
      "message.type === 'control_request' && false",
    );
    const [result] = await tryProgram(silent, [caseOf({ steps })], { timeoutScale: 1 });
    expect(result?.failures).toMatchObject([{ spec: 'CTL-3', rule: 'one-answer', level: 'must' }]);
  });
});
