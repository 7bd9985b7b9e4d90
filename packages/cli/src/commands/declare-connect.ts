import { type Command, Option } from 'commander';
import type { ConnectFlags } from './connect.ts';
import { tokenFileOption } from './token-file-option.ts';

/** Adds `sjp connect` to the commands. */
export function declareConnect(program: Command): void {
  program
    .command('connect')
    .description('give a session of a server to stdin and stdout, as if its agent stood behind them')
    .usage('URL [options]')
    .argument('<url>', 'the server, or one of its sessions: http://, https://, sse+http://, ws:// or wss://')
    .option('--session <id>', 'which one; new makes one')
    .option('--new-if-gone', 'make a new session if the one that --session names is gone or archived')
    .option(
      '--since <where>',
      'start, now, or the sequence number to go on behind (default: the cursor file, else start)',
    )
    .option('--cursor-file <file>', 'go on where the file says, and keep there how far this reader got')
    .option('--require-continuity', 'exit with 9 where messages may be missing, and hand on nothing behind that')
    .addOption(
      new Option('--format <format>', 'what stdout gets: every message, what people read, or the last result')
        .choices(['ndjson', 'text', 'json'])
        .env('SJP_CONNECT_FORMAT')
        .default('ndjson'),
    )
    .addOption(new Option('--json', 'the same as --format ndjson').implies({ format: 'ndjson' }))
    .addOption(
      new Option(
        '--prefer <link>',
        'begin with a WebSocket, or with events and posts; where that fails, the other one',
      ).choices(['ws', 'sse']),
    )
    .addOption(tokenFileOption())
    .addOption(new Option('--color <when>', 'color the text').choices(['auto', 'always', 'never']).default('auto'))
    .addHelpText(
      'before',
      `Examples:
  sjp connect http://127.0.0.1:4983 --session new --format text
  sjp connect http://127.0.0.1:4983 --session cse_7Kq --since now | jq -c .type
  sjp connect https://sessions.example --session cse_7Kq --token-file token --cursor-file place
`,
    )
    .addHelpText(
      'after',
      `
Lines of stdin are messages for the agent; with --format text and json each is a prompt. When stdin has ended it leaves as soon as all
it asked for is answered; where nothing was asked it goes on reading. A link that breaks is made again, and told on stderr.

Exits with 0, 1 failed, 2 wrong usage, 3 the token is missing or not allowed to, 4 the server or the session cannot be reached,
5 the agent is gone, 9 messages are missing, 130 interrupted, 143 ended by the system.
With --format ndjson and json stderr has {"error":{"code":…,"message":…,"retryable":…}}.`,
    )
    .action(async (url: string, options: ConnectFlags) => {
      const { connect } = await import('./connect.ts');
      process.exitCode = await connect(url, options);
    });
}
