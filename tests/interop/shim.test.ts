/** Runs the scenarios of a local agent with the published SDK and `sjp-shim`, which connects to an agent of `sjp serve`. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bin, type ServedAgents, serveAgents } from '../remote/served-agents.ts';
import { type HostAgent, runHost } from './run-host.ts';
import {
  HOOKS_OF_EVERY_EVENT,
  hooksCalled,
  kinds,
  results,
  runCleanly,
  streamed,
  texts,
  toolResults,
} from './sdk.test-support.ts';

const SCENARIOS: string = './scenarios/index.mjs';
const { scenarios } = (await import(SCENARIOS)) as { readonly scenarios: Readonly<Record<string, unknown>> };
const CHECKED: readonly string[] = [
  'one-shot',
  'partial messages',
  'multi-turn',
  'interrupt',
  'a permission that is given',
  'a permission that is refused',
  'hooks of every event',
  'a hook that changes the input',
  'tools of the host',
  'a tool of the host that is interrupted',
  'settings',
  'abort',
  'close',
  'leaving the loop',
  'a session that is resumed',
  'an unknown session',
  'a crash',
];
/** The scenarios that the tests below do not look at more closely. */
const OTHERS = Object.keys(scenarios).filter((name) => !CHECKED.includes(name));

describe.each(['http', 'ws'])('the published SDK drives a remote agent over %s', { timeout: 60_000 }, (scheme) => {
  // A single server for both suites would reach its limit of 100 agents.
  let server: ServedAgents;
  let shim: HostAgent;
  beforeAll(async () => {
    server = await serveAgents();
    const { SJP_SHIM_URL, SJP_SHIM_TOKEN_FILE } = server.variables;
    const url = SJP_SHIM_URL.replace(/^http/, scheme);
    shim = { path: bin('shim'), env: { SJP_SHIM_URL: url, SJP_SHIM_TOKEN_FILE } };
  });
  afterAll(() => server.close());
  const clean = (scenario: string) => runCleanly(scenario, shim);

  test('with one prompt, and sees the same messages as from a local agent', async () => {
    const run = await clean('one-shot');
    expect(kinds(run)).toEqual(['system/init', 'assistant', 'result/success']);
    expect(results(run)).toMatchObject([{ result: 'hello world' }]);
  });

  test('with partial messages', async () => {
    expect(streamed(await clean('partial messages'))).toBe('a b c');
  });

  test('over several turns', async () => {
    const run = await clean('multi-turn');
    expect(results(run).map(({ result }) => result)).toEqual(['one', 'two', 'You said: three']);
  });

  test('with an interrupt, after which the session goes on', async () => {
    expect(results(await clean('interrupt'))).toMatchObject([
      { subtype: 'error_during_execution', terminal_reason: 'aborted_streaming' },
      { subtype: 'success', result: 'still here' },
    ]);
  });

  test('and gives a permission with the input it changed, and refuses one', async () => {
    const [given, refused] = [await clean('a permission that is given'), await clean('a permission that is refused')];
    expect(toolResults(given)[0]).toMatchObject({ is_error: false, content: 'The answer to "Which?" is "B".' });
    expect(toolResults(refused)[0]).toMatchObject({ is_error: true, content: 'not today' });
  });

  test('and runs its hooks', async () => {
    const run = await clean('hooks of every event');
    expect(hooksCalled(run)).toEqual(HOOKS_OF_EVERY_EVENT);
    expect(texts(await clean('a hook that changes the input'))).toEqual(['changed']);
  });

  test('and serves its in-process tools', async () => {
    const run = await clean('tools of the host');
    expect(run.messages[0]).toMatchObject({ mcp_servers: [{ name: 'lab', status: 'connected' }] });
    expect(toolResults(run)).toMatchObject([
      { is_error: false, content: [{ type: 'text', text: '5' }] },
      { is_error: true, content: 'tool broke' },
      { is_error: true },
    ]);
    const interrupted = await clean('a tool of the host that is interrupted');
    expect(interrupted.messages[0]).toEqual({ type: 'cancelled', cancelled: true });
  });

  test('and changes its model and its mode', async () => {
    const run = await clean('settings');
    expect(run.messages.filter(({ subtype }) => subtype === 'init')).toMatchObject([
      { model: 'another', permissionMode: 'plan' },
      { model: 'default', permissionMode: 'plan' },
    ]);
  });

  test.each(['abort', 'close', 'leaving the loop'])('and leaves in the middle of a turn: %s', async (scenario) => {
    expect(results(await clean(scenario))).toEqual([]);
  });

  test('and resumes a session by its id and as the latest one', async () => {
    const run = await clean('a session that is resumed');
    expect(results(run).map(({ result }) => result)).toEqual(['one', 'two', 'three']);
    expect(new Set(results(run).map(({ session_id: id }) => id)).size).toBe(1);
    // Earlier messages are not repeated.
    expect(texts(run)).toEqual(['one', 'two', 'three']);
  });

  test.each(OTHERS)('and the agent cancels only its own requests: %s', async (scenario) => {
    expect(await runHost(scenario, shim)).toMatchObject({ strayCancels: [], leftBehind: false });
  });

  test('and gets an error for an unknown session', async () => {
    const run = await runHost('an unknown session', shim);
    const missing = 'No conversation found with session ID: 00000000-0000-4000-8000-000000000000';
    expect(run.messages).toMatchObject([
      { type: 'result', subtype: 'error_during_execution', errors: [missing] },
      { type: 'thrown', message: { content: [{ text: `Claude Code returned an error result: ${missing}` }] } },
    ]);
  });

  test('and gets an exception that says why no agent was started', async () => {
    const nowhere = { ...shim, env: { ...shim.env, SJP_SHIM_URL: 'http://127.0.0.1:9/v1' } };
    const run = await runHost('a crash', nowhere);
    expect(run.messages.at(-1)).toMatchObject({
      type: 'thrown',
      message: { content: [{ text: expect.stringContaining('the server cannot be reached') }] },
    });
  });

  test('and gets an exception that says that the agent has died', async () => {
    const run = await runHost('a crash', shim);
    expect(run.messages.at(-1)).toMatchObject({
      type: 'thrown',
      message: { content: [{ text: expect.stringContaining('the agent exited with code') }] },
    });
  });
});
