import { verifies } from '@proto/test-support/verifies';
import { expect, test } from 'vitest';
import { type LaunchOptions, agentCommandLine } from './launch.ts';

const FIXED = ['--output-format', 'stream-json', '--verbose', '--input-format', 'stream-json'];

const CASES: readonly [LaunchOptions, readonly string[]][] = [
  [{}, []],
  [{ model: 'opus', maxTurns: 3, maxBudgetUsd: 0.5 }, ['--model=opus', '--max-turns=3', '--max-budget-usd=0.5']],
  [{ fallbackModel: ['a', 'b'], betas: ['x'] }, ['--fallback-model=a,b', '--betas=x']],
  [
    { allowedTools: ['Read', 'Bash(ls *)'], disallowedTools: ['Write'] },
    ['--allowedTools=Read,Bash(ls *)', '--disallowedTools=Write'],
  ],
  [{ tools: [] }, ['--tools=']],
  [{ tools: 'default', settingSources: [] }, ['--tools=default', '--setting-sources=']],
  [{ includePartialMessages: true, strictMcpConfig: false }, ['--include-partial-messages']],
  [
    { continue: true, resume: 'some title', forkSession: true },
    ['--continue', '--resume=some title', '--fork-session'],
  ],
  [{ resume: true, debug: true }, ['--resume', '--debug']],
  [{ debug: 'api', sessionPersistence: false }, ['--debug=api', '--no-session-persistence']],
  [{ sessionPersistence: true }, []],
  [{ addDir: ['/a', '/b'], pluginDir: ['/p'] }, ['--add-dir=/a', '--add-dir=/b', '--plugin-dir=/p']],
  [
    { settings: { a: 1 }, mcpConfig: ['one.json', 'two.json'] },
    ['--settings', '{"a":1}', '--mcp-config', 'one.json', '--mcp-config', 'two.json'],
  ],
  [{ jsonSchema: { type: 'object' } }, ['--json-schema={"type":"object"}']],
  [{ extraArgs: { 'not-known': 'v', bare: null } }, ['--not-known', 'v', '--bare']],
];

verifies(['CLI-46', 'HOST-12'], 'options become the command line that published hosts write', () => {
  for (const [options, args] of CASES)
    expect(agentCommandLine(options).args, JSON.stringify(options)).toEqual([...FIXED, ...args]);
});

verifies('PROC-12', 'a value that starts with a dash is joined with its flag', () => {
  const { args } = agentCommandLine({ settings: '-s.json', model: '-x', agent: '--y', extraArgs: { other: '--z' } });
  expect(args.slice(FIXED.length)).toEqual(['--settings=-s.json', '--model=-x', '--agent=--y', '--other=--z']);
});

test('a prompt as an argument replaces the input options, and comes last', () => {
  const { args } = agentCommandLine({ prompt: '-p', model: 'm', extraArgs: { bare: null } });
  expect(args).toEqual([...FIXED.slice(0, 3), '--print', '--model=m', '--bare', '--', '-p']);
});

verifies(
  'HOST-12',
  'the environment has the name of the host, the request for session states, and variables for options',
  () => {
    const always = { CLAUDE_CODE_ENTRYPOINT: 'sdk-sjp', CLAUDE_CODE_SDK_READS_SESSION_STATE: '1' };
    for (const [options] of CASES) expect(agentCommandLine(options).env).toEqual(always);
    const checkpointing = { CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING: 'true' };
    expect(agentCommandLine({ fileCheckpointing: true }).env).toEqual({ ...always, ...checkpointing });
  },
);
