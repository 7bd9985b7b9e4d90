import { type Command, Option } from 'commander';
import { tokenFileOption } from '../command-line.ts';
import type { SessionsOptions } from '../operate/run-sessions.ts';

export function declareSessions(program: Command): void {
  const sessions = program
    .command('sessions')
    .description(
      'list, show, follow, export, archive and remove sessions, on a server or in the store file of a stopped server',
    );
  add(sessions, 'ls', 'list the sessions, newest first').action((options: SessionsOptions) => run('ls', options));
  add(sessions, 'show', 'show the state of a session')
    .argument('<id>', 'the id of the session')
    .action((id: string, options: SessionsOptions) => run('show', options, id));
  add(sessions, 'tail', 'write new events of a session as NDJSON, until a signal arrives')
    .argument('<id>', 'the id of the session')
    .action((id: string, options: SessionsOptions) => run('tail', options, id));
  add(sessions, 'export', 'write all events of a session to stdout, as NDJSON')
    .argument('<id>', 'the id of the session')
    .action((id: string, options: SessionsOptions) => run('export', options, id));
  add(sessions, 'archive', 'make a session of a server read-only; the server deletes the session when it is too old')
    .argument('<id>', 'the id of the session')
    .action((id: string, options: SessionsOptions) => run('archive', options, id));
  add(sessions, 'rm', 'delete a session from the store file of a stopped server (--store)')
    .argument('<id>', 'the id of the session')
    .action((id: string, options: SessionsOptions) => run('rm', options, id));
}

function add(sessions: Command, name: string, description: string): Command {
  return sessions
    .command(name)
    .description(description)
    .addOption(new Option('--url <url>', 'the server').default('http://127.0.0.1:4983').env('SJP_SESSIONS_URL'))
    .addOption(tokenFileOption())
    .addOption(
      new Option('--store <file>', 'the store file of a stopped server, instead of --url').env('SJP_SESSIONS_STORE'),
    )
    .option('--json', 'write the result as JSON');
}

async function run(
  action: import('../operate/run-sessions.ts').Action,
  options: SessionsOptions,
  id = '',
): Promise<void> {
  const { runSessions } = await import('../operate/run-sessions.ts');
  process.exitCode = await runSessions(action, id, options);
}
