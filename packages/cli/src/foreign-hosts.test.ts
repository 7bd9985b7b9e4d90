import { spawn } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { AGENT, FOLDER, line, messagesIn, outcomeOf, prompt, readUntil, run, start } from './bins.test-support.ts';

// Hosts in other languages. The inputs were observed when these hosts started and used an agent.
const LIMIT = { timeout: 30_000 };
const ID = '01234567-89ab-4def-8123-456789abcdef';
const NEW_ID = 'aaaaaaaa-89ab-4def-8123-456789abcdef';

/** JSON in the format of Python's `json.dumps`: spaces after the separators, and only ASCII characters. */
function pythonLine(value: object): string {
  const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  const text = (part: unknown): string => {
    if (typeof part === 'string') return JSON.stringify(part).replace(/[\u007f-\uffff]/g, escaped);
    if (typeof part !== 'object' || part === null) return String(part);
    if (Array.isArray(part)) return `[${part.map(text).join(', ')}]`;
    return `{${Object.entries(part)
      .map(([name, member]) => `${text(name)}: ${text(member)}`)
      .join(', ')}}`;
  };
  return `${text(value)}\n`;
}

const pythonPrompt = (content: string) =>
  pythonLine({ type: 'user', message: { role: 'user', content }, parent_tool_use_id: null, session_id: 'default' });

const PYTHON = ['--output-format', 'stream-json', '--verbose', '--system-prompt', '', '--setting-sources='];
const PYTHON_INPUT = ['--input-format', 'stream-json'];
const GO = ['--output-format', 'stream-json', '--verbose', '--input-format', 'stream-json', '--setting-sources', ''];

const resultsIn = (stdout: string) => messagesIn(stdout).filter(({ type }) => type === 'result');

/** Answers the agent's first question, and returns all of the agent's messages. */
async function answered(flags: readonly string[], input: string, answer: (requestId: unknown) => string) {
  const child = start(AGENT, [...flags, '--permission-prompt-tool', 'stdio']);
  child.stdin.write(input);
  const head = await readUntil(child, '"can_use_tool"');
  const asked = messagesIn(head).find(({ type }) => type === 'control_request');
  const { stdout, stderr, code } = await outcomeOf(child, answer(asked?.['request_id']));
  return { messages: messagesIn(stdout), stderr, code };
}

describe.concurrent('a host in Python', LIMIT, () => {
  test('asks for the version before everything else', async () => {
    expect(await run(AGENT, ['-v'])).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringMatching(/^[2-9]\.\d+\.\d+ /),
    });
  });

  test('may initialize with null members, prompt, and end its input directly after the prompt', async () => {
    const matchers = [{ matcher: null, hookCallbackIds: ['hook_0'], timeout: null }];
    const request = { subtype: 'initialize', hooks: { Notification: matchers, Stop: null }, model: null, agents: null };
    const none = { subtype: 'initialize', hooks: null };
    for (const body of [request, none]) {
      const input = pythonLine({ type: 'control_request', request_id: 'req_1_ab', request: body });
      const { stdout, stderr, code } = await run(AGENT, [...PYTHON, ...PYTHON_INPUT], input + pythonPrompt('/echo hi'));
      expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
      expect(messagesIn(stdout)[0]).toMatchObject({ response: { subtype: 'success', request_id: 'req_1_ab' } });
      expect(resultsIn(stdout)).toMatchObject([{ result: 'hi' }]);
    }
  });

  test('may write spaces, and escapes for all non-ASCII characters, also for a lone surrogate', async () => {
    const { stdout } = await run(AGENT, [...PYTHON, ...PYTHON_INPUT], pythonPrompt('/echo é 😀 \ud83d.'));
    expect(resultsIn(stdout)).toMatchObject([{ result: 'é 😀 \ud83d.' }]);
    expect(stdout).toContain('\\ud83d.');
  });

  test('may pass the session id in the same argument as its flag', async () => {
    const variables = { SJP_HOME: `${FOLDER}/python` };
    const flags = [...PYTHON, `--session-id=${ID}`, ...PYTHON_INPUT];
    expect(await run(AGENT, flags, pythonPrompt('/echo one'), variables)).toMatchObject({ code: 0 });
    for (const [words, id] of [
      [[`--resume=${ID}`], ID],
      [[`--resume=${ID}`, '--fork-session', `--session-id=${NEW_ID}`], NEW_ID],
    ] as const) {
      const { stdout, code } = await run(
        AGENT,
        [...PYTHON, ...words, ...PYTHON_INPUT],
        pythonPrompt('/echo two'),
        variables,
      );
      expect({ code, results: resultsIn(stdout) }).toMatchObject({ code: 0, results: [{ session_id: id }] });
    }
  });

  test('may announce MCP servers on the command line, and receives the whole MCP handshake', async () => {
    const mcpConfig = pythonLine({
      mcpServers: { calc: { type: 'sdk', name: 'calc' }, other: { command: 'x' } },
    }).trim();
    const child = start(AGENT, [...PYTHON, '--mcp-config', mcpConfig, ...PYTHON_INPUT]);
    child.stdin.write(pythonLine({ type: 'control_request', request_id: 'req_1', request: { subtype: 'initialize' } }));
    const asked: unknown[] = [];
    const results: Readonly<Record<string, object>> = {
      initialize: {
        protocolVersion: '2025-11-25',
        capabilities: { tools: {} },
        serverInfo: { name: 'calc', version: '1' },
      },
      'tools/list': { tools: [{ name: 'add', description: '', inputSchema: { type: 'object' } }] },
    };
    while (asked.length < 3) {
      const said = messagesIn(await readUntil(child, '"mcp_message"')).at(-1);
      const { server_name, message } = (said?.['request'] ?? {}) as {
        server_name: string;
        message: { id?: number; method: string };
      };
      asked.push([server_name, message.method]);
      const mcp_response = { jsonrpc: '2.0', id: message.id ?? 0, result: results[message.method] ?? {} };
      const response = { subtype: 'success', request_id: said?.['request_id'], response: { mcp_response } };
      child.stdin.write(pythonLine({ type: 'control_response', response }));
    }
    expect(asked).toEqual([
      ['calc', 'initialize'],
      ['calc', 'notifications/initialized'],
      ['calc', 'tools/list'],
    ]);
    const { stdout, stderr, code } = await outcomeOf(child, pythonPrompt('/echo hi'));
    expect({ stderr, code }).toEqual({
      stderr: expect.stringMatching(/^Warning: .*, so other is ignored[.].*\n$/),
      code: 0,
    });
    const init = messagesIn(stdout).find(({ subtype }) => subtype === 'init');
    expect(init).toMatchObject({ tools: expect.arrayContaining(['mcp__calc__add']) });
  });

  test('may allow a call with a rule whose content is null', async () => {
    const suggestion = {
      type: 'addRules',
      rules: [{ toolName: 'AskUserQuestion', ruleContent: null }],
      behavior: 'allow',
    };
    const updatedPermissions = [{ ...suggestion, destination: 'session' }];
    const body = { behavior: 'allow', updatedInput: { answers: { 'Which?': 'B' } }, updatedPermissions };
    const { messages, code } = await answered(
      [...PYTHON, ...PYTHON_INPUT],
      pythonPrompt('/ask Which?|A|B'),
      (request_id) =>
        pythonLine({ type: 'control_response', response: { subtype: 'success', request_id, response: body } }),
    );
    expect(code).toBe(0);
    expect(messages.at(-1)).toMatchObject({
      type: 'result',
      permission_denials: [],
      result: expect.stringContaining('"B"'),
    });
  });

  test('does not answer a cancelled question, and the session continues', async () => {
    const child = start(AGENT, [...PYTHON, ...PYTHON_INPUT, '--permission-prompt-tool', 'stdio']);
    child.stdin.write(pythonPrompt('/ask Which?|A|B'));
    await readUntil(child, '"can_use_tool"');
    child.stdin.write(pythonLine({ type: 'control_request', request_id: 'req_2', request: { subtype: 'interrupt' } }));
    const { stdout, code } = await outcomeOf(child, pythonPrompt('/echo on'));
    const kinds = messagesIn(stdout).map(({ type }) => type);
    // The cancellation precedes the answer to the interrupt.
    expect(kinds.slice(0, 2)).toEqual(['control_cancel_request', 'control_response']);
    expect(resultsIn(stdout)).toMatchObject([{ subtype: 'error_during_execution' }, { result: 'on' }]);
    expect(code).toBe(0);
  });
});

// Hosts fail if lines are longer: the limit is 1 048 575 bytes in Go, and 1 048 576 characters in Python.
test('no line is longer than these hosts can read, however much a command prints', LIMIT, async () => {
  const input = prompt('/bash yes | head -c 3000000');
  const { stdout, code } = await run(AGENT, [...GO, '--allowedTools', 'Bash'], input);
  expect(code).toBe(0);
  const lengths = stdout.split('\n').map((said) => Buffer.byteLength(said));
  expect(Math.max(...lengths)).toBeGreaterThan(100_000);
  expect(Math.max(...lengths)).toBeLessThan(1_048_575);
});

describe.concurrent('a host in Go', LIMIT, () => {
  test('may pass the prompt on the command line, with the null device as stdin', async () => {
    const flags = [
      '--output-format',
      'stream-json',
      '--verbose',
      '--allowed-tools',
      'Read',
      '--max-budget-usd',
      '1.50',
    ];
    const child = spawn(AGENT, [...flags, '--print', '/echo hi'], {
      env: { PATH: process.env['PATH'], SJP_HOME: FOLDER },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [stdout, stderr, code] = await Promise.all([
      child.stdout.setEncoding('utf8').reduce((all: string, part: string) => all + part, ''),
      child.stderr.setEncoding('utf8').reduce((all: string, part: string) => all + part, ''),
      new Promise((resolve) => child.once('exit', resolve)),
    ]);
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
    expect(messagesIn(stdout).map(({ type }) => type)).toEqual(['system', 'assistant', 'result']);
  });

  test('may prompt without initialize or a parent id, and pass the session id in a separate argument', async () => {
    const variables = { SJP_HOME: `${FOLDER}/go` };
    const input = line({ type: 'user', message: { role: 'user', content: '/echo hi' }, session_id: 'default' });
    const first = await run(AGENT, [...GO, '--session-id', ID], input, variables);
    const second = await run(AGENT, [...GO, '--resume', ID], input, variables);
    for (const { stdout, stderr, code } of [first, second]) {
      expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
      expect(resultsIn(stdout)).toMatchObject([{ result: 'hi', session_id: ID }]);
    }
  });

  test('receives no unknown message types, because it stops reading after ten of them', async () => {
    const work = '/think a\n/bash echo b\n/subagent c\n/background 0\n/slow 0';
    const { stdout, code } = await run(
      AGENT,
      [...GO, '--permission-mode', 'acceptEdits'],
      prompt(work) + prompt('/echo d'),
    );
    const known = ['assistant', 'control_request', 'control_response', 'result', 'stream_event', 'system', 'user'];
    expect(code).toBe(0);
    expect(resultsIn(stdout).length).toBeGreaterThan(1);
    expect(messagesIn(stdout).filter(({ type }) => !known.includes(type))).toEqual([]);
  });

  test.each([
    ['may allow without an input: the call runs with the requested input', { behavior: 'allow' }, []],
    ['may deny without a message', { behavior: 'deny' }, [{ tool_name: 'AskUserQuestion' }]],
  ])('%s', async (_, response, permission_denials) => {
    const { messages, code } = await answered(GO, prompt('/ask Which?|A|B'), (request_id) =>
      line({ type: 'control_response', response: { subtype: 'success', request_id, response } }),
    );
    expect(code).toBe(0);
    expect(messages.at(-1)).toMatchObject({ type: 'result', subtype: 'success', permission_denials });
    const toolResult = messages.find(({ type }) => type === 'user');
    expect(toolResult).toMatchObject({ message: { content: [{ type: 'tool_result', content: expect.any(String) }] } });
  });

  test('may answer a cancelled question, and the answer is ignored', async () => {
    const child = start(AGENT, [...GO, '--permission-prompt-tool', 'stdio']);
    child.stdin.write(prompt('/ask Which?|A|B'));
    const head = await readUntil(child, '"can_use_tool"');
    const asked = messagesIn(head).find(({ type }) => type === 'control_request');
    child.stdin.write(line({ type: 'control_request', request_id: 'req_2', request: { subtype: 'interrupt' } }));
    const allow = { subtype: 'success', request_id: asked?.['request_id'], response: { behavior: 'allow' } };
    const late = line({ type: 'control_response', response: allow });
    const { stdout, code } = await outcomeOf(child, late + prompt('/echo on'));
    expect(resultsIn(stdout)).toMatchObject([{ subtype: 'error_during_execution' }, { result: 'on' }]);
    expect(code).toBe(0);
  });

  test('may interrupt with SIGINT: the turn ends with an error, and the agent exits with 0', async () => {
    const child = start(AGENT, [...GO, '--include-partial-messages']);
    child.stdin.write(prompt('/slow 60'));
    await readUntil(child, '"text":"3 "');
    child.kill('SIGINT');
    const { stdout, stderr, code, signal } = await outcomeOf(child);
    expect({ stderr, code, signal }).toEqual({ stderr: '', code: 0, signal: null });
    const kinds = messagesIn(stdout).filter(({ type }) => type !== 'stream_event');
    expect(kinds).toMatchObject([
      { type: 'assistant', aborted: true },
      { type: 'user', message: { content: [{ text: '[Request interrupted by user]' }] } },
      { type: 'result', subtype: 'error_during_execution', is_error: true },
    ]);
  });
});
