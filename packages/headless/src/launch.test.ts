import { agentCommandLine, type LaunchOptions } from '@proto/host';
import { verifies } from '@proto/test-support/verifies';
import { expect } from 'vitest';
import { parseArgv } from './flags/parse-argv.ts';

const ID = '01234567-89ab-cdef-0123-456789abcdef';

/** Every option with which a host can start an agent, in combinations that do not exclude each other. */
const OPTIONS: readonly LaunchOptions[] = [
  {},
  {
    model: 'opus',
    fallbackModel: ['sonnet', 'haiku'],
    maxTurns: 3,
    maxBudgetUsd: 1.5,
    taskBudget: 1000,
    thinking: 'adaptive',
    thinkingDisplay: 'omitted',
    maxThinkingTokens: 0,
    effort: 'high',
    betas: ['a', 'b'],
    allowedTools: ['Read', 'Bash(git log:*)'],
    disallowedTools: ['Write'],
    tools: ['Read', 'Bash'],
    permissionMode: 'plan',
    permissionPromptTool: 'stdio',
    permissionPrompts: 'host',
    allowDangerouslySkipPermissions: true,
    resume: ID,
    forkSession: true,
    resumeSessionAt: ID,
    resumeDropsTurn: ID,
    sessionPersistence: false,
    sessionMirror: true,
    settings: { theme: 'dark' },
    managedSettings: { a: [1] },
    settingSources: ['user', 'local'],
    addDir: ['/a', '/b c'],
    projectConfigRoot: '/root',
    mcpConfig: ['one.json', 'two.json'],
    strictMcpConfig: true,
    pluginDir: ['/p', '/q'],
    pluginDirNoMcp: ['/r'],
    agent: 'reviewer',
    jsonSchema: { type: 'object' },
    includePartialMessages: true,
    includeHookEvents: true,
    replayUserMessages: true,
    awaitInitialize: true,
    debug: 'api',
    debugFile: '/log',
    debugToStderr: true,
  },
  { tools: 'default', settings: '/settings.json', debug: true, continue: true },
  { tools: [], settingSources: [], sessionId: ID, agent: '--not-a-flag' },
  { extraArgs: { workload: 'cron', init: null } },
];

verifies(
  'HOST-12',
  'every option that a host passes on the command line is parsed by the agent under the same name',
  () => {
    for (const options of OPTIONS) {
      const parsed = parseArgv(agentCommandLine(options).args, '1.2.3');
      if (parsed.kind !== 'run') throw new Error(JSON.stringify(parsed));
      const { outputFormat, inputFormat, verbose, ...rest } = parsed.options;
      expect({ outputFormat, inputFormat, verbose }).toEqual({
        outputFormat: 'stream-json',
        inputFormat: 'stream-json',
        verbose: true,
      });
      const { extraArgs, ...flags } = options;
      const expected = extraArgs === undefined ? flags : { workload: 'cron', init: true };
      expect(rest).toEqual({ sessionPersistence: true, ...expected });
    }
  },
);
