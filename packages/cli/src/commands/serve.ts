import { type Command, Option } from 'commander';
import { LOG_LEVELS } from '@proto/terminal/process';
import type { ServeOptions } from '../serve/serve-plan.ts';

const EXAMPLES = `Examples:
  sjp serve -- claude
  sjp serve --store sessions.db --restart on-failure:5 -- my-agent --model small
  sjp serve --listen 127.0.0.1:0 --json
  sjp serve --log-format json --log-level debug --metrics-token-file metrics-token
`;

const NOTES = `
Each session has its own agent, which is started with the flags of the protocol and with SJP_SESSION_ID. When an agent ends, its clients get
{ "type": "system", "subtype": "agent_exited", "code", "stderr", "restarting" }. Without AGENT, prompts wait until a worker attaches.
Agents get these variables of this process: PATH, HOME, the user, temporary folders, language, time zone and terminal, XDG_*, proxies and
certificates, ANTHROPIC_*, CLAUDE_*, AWS_*, GOOGLE_*, GCLOUD_*, GCP_*, CLOUDSDK_*, CLOUD_ML_*, VERTEX_*, AZURE_*, settings of agents, and on
Windows the variables that programs need there. Agents do not get the variables of an agent that started this process.

GET /healthz reports whether the process is alive, and GET /readyz whether it accepts messages. DEBUG=sjp:* logs every request and append, as
--log-level debug does. DEBUG=sjp:http logs only requests, DEBUG=sjp:store only appends. Logs never contain a token or the text of a message.

Clients need the token; on this machine, sjp connect finds the token by itself. The server has no TLS: put a proxy in front of the server.

On SIGINT or SIGTERM the agents finish, and the server exits with 0. A second signal kills the agents, and the server exits with 130 or 143.
Other exit codes: 1 failed, 2 wrong usage, 4 agent not found.`;

const several = (text: string, before: readonly string[] = []) => [...before, ...text.split(',')];

export function declareServe(program: Command, agent: readonly string[]): void {
  const command = program
    .command('serve')
    .description('serve sessions to remote clients; each session has its own agent, or workers that attach')
    .usage('[options] [-- AGENT...]')
    .addOption(new Option('--listen <address>', 'HOST:PORT; port 0 means a free port').default('127.0.0.1:4983'))
    .option(
      '--store <store>',
      'the SQLite file that stores the sessions, postgres://USER@HOST/DATABASE, or memory, whose sessions are lost when the server ends (default: sessions.db in the state folder)',
    )
    .option('--retain <age/size>', 'how long and how much of each session is kept, such as 7d/1GiB, 7d or 1GiB')
    .addOption(
      new Option(
        '--token-file <file>',
        'the file with a token, or with accounts as JSON (default: a new token in a file that only its owner can read)',
      ).env('SJP_SERVE_TOKEN_FILE'),
    )
    .addOption(
      new Option(
        '--allowed-host <name>',
        'a further host name by which clients reach the server, in addition to the names of this machine',
      ).argParser(several),
    )
    .addOption(
      new Option('--allowed-origin <origin>', 'an origin whose web pages may use the server').argParser(several),
    )
    .option('--keepalive <duration>', 'the interval between keep-alives on a silent stream (default: 15s)')
    .option(
      '--restart <policy>',
      'never, or on-failure:N: restart an agent that failed, up to N times in a row',
      'never',
    )
    .addOption(
      new Option(
        '--idle-timeout <duration>',
        'stop an agent that has been idle for this time; it starts again when a client needs it',
      ).env('SJP_SERVE_IDLE_TIMEOUT'),
    )
    .addOption(
      new Option(
        '--pass-env <name>',
        'a further environment variable for agents; MY_* means all variables that begin with MY_',
      ).argParser(several),
    )
    .option('--ui', 'serve a web page that shows the sessions, with the rights of the account that opens the page')
    .option('--json', 'write events as NDJSON; the first line contains the address and the token');
  declareIssuerOptions(declareWebhooks(declareLogsAndMetrics(declareSharedStoreOptions(command))))
    .option('--dangerously-no-auth', 'clients need no token, so every program on this machine may do everything')
    .option('--dangerously-listen-on-network', 'allow connections from other machines')
    .addHelpText('before', EXAMPLES)
    .addHelpText('after', NOTES)
    .action(async (options: ServeOptions) => {
      const { runServe } = await import('../serve/run-serve.ts');
      process.exitCode = await runServe(agent, options);
      // After a second signal, the process does not wait for remaining work.
      if (process.exitCode >= 128) process.stdout.write('', () => process.exit());
    });
}

function declareIssuerOptions(command: Command): Command {
  return command
    .option('--jwks <url>', 'accept tokens (JWT) of an issuer whose public keys are at this https: URL or in this file')
    .option('--jwt-issuer <issuer>', 'the issuer of these tokens (iss)')
    .option('--jwt-audience <audience>', 'the name of this server in these tokens (aud)')
    .addOption(
      new Option(
        '--jwt-algorithms <names>',
        'the accepted signatures, separated by commas (default: RS256,PS256,ES256,EdDSA)',
      ).argParser(several),
    )
    .option('--jwt-role-claim <name>', 'the claim with the role, or with a list such as groups (default: sjp_role)')
    .addOption(
      new Option(
        '--jwt-roles <text=role>',
        'which values of that claim grant which role, such as oncall=driver,staff=viewer',
      ).argParser(several),
    );
}

function declareLogsAndMetrics(command: Command): Command {
  return command
    .addOption(new Option('--log-level <level>', 'the level of the log on stderr').choices(LOG_LEVELS).default('info'))
    .addOption(
      new Option('--log-format <format>', 'text (for people), or json (one object per line)').choices(['text', 'json']),
    )
    .option(
      '--metrics-token-file <file>',
      'serve GET /metrics to clients with the token in this file; the file is created if it is missing',
    );
}

function declareWebhooks(command: Command): Command {
  return command
    .option('--notify <url>', 'post a signed webhook to this URL when a question waits for a person')
    .option(
      '--notify-secret-file <file>',
      'the file with the secret of the webhooks: whsec_ and random bytes as base64',
    )
    .option('--notify-after <duration>', 'how long a question must wait before it is reported (default: 30s)')
    .option('--notify-link <url>', 'the page that opens a session, as a link in the webhook; {session} is its id');
}

function declareSharedStoreOptions(command: Command): Command {
  return command
    .option(
      '--node-url <url>',
      'share the sessions of the store with other servers, which reach this one at http://HOST:PORT',
    )
    .option(
      '--node-ttl <duration>',
      'the time after which other servers take over the sessions of a server that has died (default: 10s)',
    );
}
