import { type Command, Option } from 'commander';
import { DEFAULT_LISTEN } from '../serve/serve-flags.ts';
import type { ServeOptions } from '../serve/serve-plan.ts';

/** Adds `sjp serve` to the commands; the agent is what stands behind `--`. */
export function declareServe(program: Command, agent: readonly string[]): void {
  const several = (text: string, before: readonly string[] = []) => [...before, ...text.split(',')];
  program
    .command('serve')
    .description('run sessions for clients elsewhere, each with an agent of its own or with workers that attach')
    .usage('[options] [-- AGENT...]')
    .addOption(new Option('--listen <address>', 'HOST:PORT; a port of 0 is a free one').default(DEFAULT_LISTEN))
    .option(
      '--store <where>',
      'the SQLite file that keeps the sessions, or memory, which ends with the server (default: sessions.db in the state folder)',
    )
    .option('--retain <age/size>', 'how long and how much is kept of a session, such as 7d/1GiB, or one of the two')
    .addOption(
      new Option(
        '--token-file <file>',
        'a token, or accounts as JSON; without it one is made and kept for its owner alone',
      ).env('SJP_SERVE_TOKEN_FILE'),
    )
    .addOption(
      new Option('--allowed-host <name>', 'a name clients reach it by, beside those of this machine').argParser(
        several,
      ),
    )
    .addOption(new Option('--allowed-origin <origin>', 'an origin whose pages may use it').argParser(several))
    .option('--keepalive <duration>', 'how often a silent stream says that it lives (default: 15s)')
    .option(
      '--restart <policy>',
      'never, or on-failure:N: an agent that fails is started again, so often in a row',
      'never',
    )
    .addOption(
      new Option(
        '--idle-timeout <duration>',
        'stop an agent that had nothing to do for that long, until it is needed',
      ).env('SJP_SERVE_IDLE_TIMEOUT'),
    )
    .addOption(
      new Option('--pass-env <name>', 'a further variable that agents get; MY_* is all that begin so').argParser(
        several,
      ),
    )
    .option('--json', 'write what happens as NDJSON; the first line has the address and the token')
    .option('--dangerously-no-auth', 'need no token: every program on this machine may do everything')
    .option('--dangerously-listen-on-network', 'let --listen open it to other machines')
    .addHelpText(
      'before',
      `Examples:
  sjp serve -- claude
  sjp serve --store sessions.db --restart on-failure:5 -- my-agent --model small
  sjp serve --listen 127.0.0.1:0 --json
`,
    )
    .addHelpText(
      'after',
      `
Each session that is made gets an agent, started with the flags of the protocol and with SJP_SESSION_ID; an agent that dies is told to
the clients as { "type": "system", "subtype": "agent_exited", "code", "stderr", "restarting" }. Without AGENT workers attach themselves.
Agents get these variables of this process: PATH, HOME, the user, temporary folders, language, time zone and terminal, XDG_*, proxies and
certificates, ANTHROPIC_*, CLAUDE_*, AWS_*, GOOGLE_*, GCLOUD_*, GCP_*, CLOUDSDK_*, CLOUD_ML_*, VERTEX_*, AZURE_*, limits and switches of
agents, and on Windows what programs need there; nothing of an agent that has started this process. --pass-env names more.

Clients need the token: sjp connect finds it by itself on this machine. There is no TLS: put a proxy in front.

SIGINT or SIGTERM lets the agents finish and ends it with 0; once more kills them, and ends it with 130 or 143.
Exits with 1 failed, 2 wrong usage, 4 no such agent.`,
    )
    .action(async (options: ServeOptions) => {
      const { serve } = await import('./serve.ts');
      process.exitCode = await serve(agent, options);
      // Whoever asked twice does not wait for what is left.
      if (process.exitCode >= 128) process.stdout.write('', () => process.exit());
    });
}
