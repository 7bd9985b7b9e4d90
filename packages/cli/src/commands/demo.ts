import { type Command, Option } from 'commander';
import type { DemoOptions } from '@proto/demo';

export function declareDemo(program: Command, agent: string): void {
  program
    .command('demo')
    .description(
      'run a whole session over each transport, break its connections on purpose, and report whether every message arrived',
    )
    .option('--json', 'write the messages that were sent and received as NDJSON; the last line is the result')
    .addOption(
      new Option('--fault <kind>', 'drop, duplicate or reorder some messages, to show that the demo detects this')
        .choices(['drop', 'dup', 'reorder'])
        .env('SJP_DEMO_FAULT'),
    )
    .addHelpText(
      'before',
      `Examples:
  sjp demo
  SJP_DEMO_FAULT=drop sjp demo --json
`,
    )
    .addHelpText('after', '\nExits with 1 if a message was lost, duplicated or out of order.')
    .action(async (options: Pick<DemoOptions, 'json' | 'fault'>) => {
      const [{ runDemo }, { ownVariables }] = await Promise.all([import('@proto/demo'), import('../own-variables.ts')]);
      const { stdout, stderr, env } = process;
      const here = { stdout, stderr, env, agentEnv: ownVariables([agent], env), cwd: process.cwd() };
      process.exitCode = await runDemo({ agent, here, ...options });
    });
}
