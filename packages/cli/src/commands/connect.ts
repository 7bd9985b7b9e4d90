import { type Command, Option } from 'commander';
import type { RunProcess } from '@proto/terminal';
import type { ConnectOptions } from '@proto/terminal/connect';
import { tokenFileOption } from '../command-line.ts';

export interface ConnectFlags extends Omit<ConnectOptions, 'name' | 'token'> {
  readonly tokenFile?: string;
}

export function declareConnect(program: Command): void {
  program
    .command('connect')
    .description('connect stdin and stdout to a session of a server, as if the agent ran on this machine')
    .usage('URL [options]')
    .argument('<url>', 'the server, or one of its sessions: http://, https://, sse+http://, ws:// or wss://')
    .option('--session <id>', 'the id of the session, or new to create a session')
    .option('--new-if-gone', 'create a session if the session that --session names no longer exists or is archived')
    .option(
      '--since <where>',
      'start, now, or the sequence number to continue after (default: the cursor file, else start)',
    )
    .option('--cursor-file <file>', 'continue at the position in this file, and update it as messages arrive')
    .option('--require-continuity', 'if messages may be missing, exit with 9 before any later message is written')
    .addOption(
      new Option(
        '--format <format>',
        'output format: ndjson (every message), text (for people), json (the last result)',
      )
        .choices(['ndjson', 'text', 'json'])
        .env('SJP_CONNECT_FORMAT')
        .default('ndjson'),
    )
    .addOption(new Option('--json', 'the same as --format ndjson').implies({ format: 'ndjson' }))
    .addOption(
      new Option(
        '--prefer <link>',
        'the transport to try first: a WebSocket or an event stream; the other transport is tried if the first fails',
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
Each line of stdin is a message for the agent. With --format text and json, each line is a prompt. When stdin ends, the program exits as
soon as all its prompts and requests are answered. If it has sent neither prompts nor requests, it continues to read. A broken connection is
opened again, and stderr reports this.

Exit codes: 0 success, 1 failed, 2 wrong usage, 3 the token is missing or not allowed, 4 the server or the session cannot be reached,
5 the agent has ended, 9 messages are missing, 130 interrupted, 143 terminated by SIGTERM.
On a terminal, errors are lines of text. With --json, with --format ndjson or json, and in a pipe, an error on stderr is
{"error":{"code":…,"message":…,"retryable":…}}.`,
    )
    .action(async (url: string, options: ConnectFlags, command: Command) => {
      const isAsked = command.getOptionValueSource('format') !== 'default';
      process.exitCode = await connect(url, {
        ...options,
        ...(isAsked && options.format !== 'text' && { reports: 'json' }),
      });
    });
}

export async function connect(
  address: string,
  { tokenFile, ...options }: ConnectFlags,
  here: RunProcess = process,
): Promise<number> {
  const [{ runConnect }, { tokenFinder }] = await Promise.all([
    import('@proto/terminal/connect'),
    import('../token-file.ts'),
  ]);
  return runConnect(address, { ...options, name: 'sjp connect', token: tokenFinder(tokenFile, here) }, here);
}
