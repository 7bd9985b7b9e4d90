import { type Command, Option } from 'commander';
import type { DemoFlags } from './demo.ts';

/** Adds `sjp demo` to the commands; `agent` is the executable of the reference agent. */
export function declareDemo(program: Command, agent: string): void {
  program
    .command('demo')
    .description(
      'run a whole session over each transport, cut its link on purpose, and count what became of every message',
    )
    .option('--json', 'write what was sent and seen as NDJSON, the last line is the result')
    .addOption(
      new Option('--fault <kind>', 'do that to some messages, to see that it is noticed')
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
    .addHelpText('after', '\nExits with 1 where a message was lost, doubled or out of order.')
    .action(async (options: DemoFlags) => {
      const { demo } = await import('./demo.ts');
      process.exitCode = await demo(agent, options);
    });
}
