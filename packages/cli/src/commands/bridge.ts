import { type Command, Option } from 'commander';
import type { BridgeOptions } from '../bridge/bridge-plan.ts';
import { tokenFileOption } from '../command-line.ts';

const FLAGS = '--input-format stream-json --output-format stream-json --verbose --permission-prompt-tool stdio';

const EXAMPLES = `Examples:
  sjp bridge - wss://box.example/agent --token-file token
  sjp bridge --listen ws://127.0.0.1:9000 --multi -- claude -p ${FLAGS}
  sjp bridge - "exec:ssh box my-agent ${FLAGS}"
  sjp bridge sse+https://sessions.example/v1/code/sessions/cse_7Kq/worker -- my-agent ${FLAGS}
  sjp run "fix the failing test" -- sjp bridge --tap wire.jsonl -- claude
`;

const NOTES = `
An endpoint is one of: - for stdin and stdout, exec:COMMAND, ws://, wss://, sse+http:// or sse+https:// for a session on a server,
hybrid+ws:// or hybrid+wss:// to read from a WebSocket and send with POST, or a command after --. A is the host (default: -). If A is the
address of a session with /worker at its end, B becomes the agent of that session. A command is run exactly as written, so include the
flags of the protocol. When one side ends, the bridge ends the other side. If the agent fails, its host gets a result with the reason. A host
that started this program gets the exit code of the agent instead. If such a host appends flags, they are passed to the command after --.
Without a command, these flags are ignored.

Exits with the exit code of its child. Exit codes without a child: 0 success, 1 failed, 2 wrong usage, 3 not allowed, 4 cannot be reached,
130 interrupted, 143 terminated by SIGTERM.`;

export function declareBridge(program: Command, agentArgv: readonly string[]): void {
  program
    .command('bridge')
    .description('join a host and an agent that use different transports, byte for byte')
    .usage('[A] B [options] [-- AGENT...]')
    .argument('[endpoints...]', 'the endpoint of the host, then the endpoint of the agent; - means stdin and stdout')
    .addOption(
      new Option('--listen <url>', 'accept hosts at this address, such as ws://127.0.0.1:9000; then give only B').env(
        'SJP_BRIDGE_LISTEN',
      ),
    )
    .option(
      '--multi',
      'serve many clients of --listen, with one agent for each; without --multi the bridge ends after the first client',
    )
    .option('--max-clients <count>', 'how many clients may be connected at once (default: 100)')
    .option(
      '--client-token-file <file>',
      'the file with the token that clients need; created if it is missing (default: the file "token" in the state folder)',
    )
    .option('--dangerously-no-auth', 'clients need no token')
    .option('--dangerously-listen-on-network', 'allow connections from other machines')
    .addOption(tokenFileOption())
    .option(
      '--tap <file>',
      'record all messages of both sides, including secrets, for `sjp replay` and `sjp validate`; with --multi one file for each client',
    )
    .option('--json', 'write events as JSON: to stdout with --listen, otherwise to stderr')
    .addHelpText('before', EXAMPLES)
    .addHelpText('after', NOTES)
    .action(async (endpoints: string[], options: BridgeOptions) => {
      const { runBridgeCommand } = await import('../bridge/run-bridge-command.ts');
      process.exitCode = await runBridgeCommand(endpoints, agentArgv, options);
    });
}
