import { type Command, Option } from 'commander';
import { tokenFileOption } from '../command-line.ts';
import type { InspectFlags } from '../inspect/inspect-plan.ts';

const EXAMPLES = `Examples:
  sjp inspect fix.jsonl
  sjp run "fix the failing test" -- sjp inspect -- claude
  sjp inspect -- claude -p --input-format stream-json --output-format stream-json --verbose --permission-prompt-tool stdio
  sjp inspect - wss://box.example/agent --token-file token
  sjp inspect http://127.0.0.1:4983 --session cse_7Kq
`;

const NOTES = `
FILE is a recording, or NDJSON with one message per line. A and B are endpoints as for sjp bridge, joined byte for byte. URL is a session
server; the page then has the rights of the account.

The address of the page is written to stderr. It contains a ticket that can be used once, within 60 s. The page is served only on 127.0.0.1,
and loads nothing from other servers. The messages of a bridge, including secrets, are kept in a private file until the command ends; --tap
keeps the file. The end of stdin ends the bridge. If stdin is the null device, as in the background, only the page drives the agent.

A bridge exits with the exit code of its child, as sjp bridge does. Other exit codes: 0 ended by a signal, 1 failed, 2 wrong
usage, 3 not allowed, 4 cannot be reached.`;

export function declareInspect(program: Command, agentArgv: readonly string[]): void {
  program
    .command('inspect')
    .description('show a session in a local web page, frame by frame: a recording, a bridge, or a session of a server')
    .usage('[FILE | A B | URL] [options] [-- AGENT...]')
    .argument('[what...]', 'a recording, two endpoints, or a session server')
    .addOption(
      new Option('--port <port>', 'the port of the page; 0 means a free port').env('SJP_INSPECT_PORT').default('6374'),
    )
    .option('--open', 'open the page in the browser')
    .addOption(
      new Option('--session <id>', 'the session of the server; without --session the page lists the sessions').env(
        'SJP_INSPECT_SESSION',
      ),
    )
    .addOption(tokenFileOption())
    .addOption(
      new Option('--tap <file>', 'keep the messages of a bridge as a recording, including secrets').env(
        'SJP_INSPECT_TAP',
      ),
    )
    .option('--json', 'write events as JSON lines on stderr')
    .addHelpText('before', EXAMPLES)
    .addHelpText('after', NOTES)
    .action(async (what: string[], options: InspectFlags) => {
      const { runInspect } = await import('../inspect/run-inspect.ts');
      process.exitCode = await runInspect(what, agentArgv, options);
    });
}
