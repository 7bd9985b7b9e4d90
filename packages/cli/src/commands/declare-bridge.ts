import { type Command, Option } from 'commander';
import type { BridgeOptions } from '../bridge/bridge-plan.ts';
import { tokenFileOption } from './token-file-option.ts';

/** Adds `sjp bridge` to the commands; `agentArgv` is what stands behind `--`. */
export function declareBridge(program: Command, agentArgv: readonly string[]): void {
  program
    .command('bridge')
    .description('join two endpoints, byte for byte: a host and an agent that do not speak over the same medium')
    .usage('[A] B [options] [-- AGENT...]')
    .argument('[endpoints...]', 'the host, then the agent; - is stdin and stdout')
    .addOption(
      new Option('--listen <url>', 'hosts connect here, such as ws://127.0.0.1:9000; only B is given then').env(
        'SJP_BRIDGE_LISTEN',
      ),
    )
    .option('--multi', 'many clients of --listen, each with an agent of its own; without it one, and then the end')
    .option('--max-clients <count>', 'how many at once; 100 without')
    .option(
      '--client-token-file <file>',
      'what clients need; made when it is missing. Default: token in the state directory',
    )
    .option('--dangerously-no-auth', 'clients need no token')
    .option('--dangerously-listen-on-network', 'other machines may connect')
    .addOption(tokenFileOption())
    .option(
      '--tap <file>',
      'record what both sides say, for `sjp replay` and `sjp validate`: all of it, secrets too; with --multi FILE.N for each client',
    )
    .option('--json', 'tell what happens as JSON: on stdout with --listen, else on stderr')
    .addHelpText(
      'before',
      `Examples:
  sjp bridge - wss://box.example/agent --token-file token
  sjp bridge --listen ws://127.0.0.1:9000 --multi -- claude -p --input-format stream-json --output-format stream-json --verbose
  sjp bridge - "exec:ssh box my-agent" --tap wire.jsonl
  sjp bridge sse+https://sessions.example/v1/code/sessions/cse_7Kq/worker -- my-agent
`,
    )
    .addHelpText(
      'after',
      `
Endpoints are -, exec:COMMAND, ws://, wss://, sse+http:// and sse+https:// (a session on a server), or a command behind --. A is where
the host is and may be left out for -; with /worker behind the address of a session B is the agent of that session. The end of one side is passed on to the other; a host whose agent dies gets a result that says so,
and why, unless it has started this program, whose exit code is the child's.

Exits with the code of its child. Without one: 0, 1 failed, 2 wrong usage, 3 not allowed, 4 cannot be reached, 130 interrupted, 143 ended.`,
    )
    .action(async (endpoints: string[], options: BridgeOptions) => {
      const { bridge } = await import('./bridge.ts');
      process.exitCode = await bridge(endpoints, agentArgv, options);
    });
}
