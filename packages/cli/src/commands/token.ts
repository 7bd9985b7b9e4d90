import { type Command, Option } from 'commander';
import { collect } from '../command-line.ts';
import type { InspectOptions, NewTokenOptions } from '../operate/run-token.ts';

/** Adds `sjp token`. Tokens are never words of a command line, which other users of a machine can see. */
export function declareToken(program: Command): void {
  const token = program.command('token').description('make tokens of accounts, and see what a token says');
  token
    .command('new')
    .description('make a token for an account of a server, and write it to stdout or a private file')
    .addOption(new Option('--name <name>', 'the name of the account').default('driver'))
    .addOption(
      new Option('--role <role>', 'what the account may do')
        .choices(['driver', 'approver', 'viewer'])
        .default('driver'),
    )
    .addOption(
      new Option('--only-session <id>', 'limit the account to this session; repeat it for several').argParser(collect),
    )
    .option('--accounts <file>', 'add the account to this file of accounts, as the hash of the token')
    .option('--out <file>', 'write the token into a new file that only its owner can read, and not to stdout')
    .addHelpText(
      'before',
      `Examples:
  sjp token new --name alice --role approver --accounts accounts.json --out alice.token
  sjp token new > my-token
`,
    )
    .addHelpText('after', '\nWithout --accounts, the entry for a file of accounts is written to stderr.')
    .action(async (options: NewTokenOptions) => {
      const { runTokenNew } = await import('../operate/run-token.ts');
      process.exitCode = await runTokenNew(options);
    });
  token
    .command('inspect')
    .description('show what a token says: its hash, or its claims and its end; never the token itself')
    .addOption(
      new Option('--token-file <file>', 'the token; - is stdin (default: SJP_TOKEN)').env(
        'SJP_TOKEN_INSPECT_TOKEN_FILE',
      ),
    )
    .option('--accounts-file <file>', 'say whose token it is in this file of accounts')
    .option('--json', 'write the result as JSON')
    .action(async (options: InspectOptions) => {
      const { runTokenInspect } = await import('../operate/run-token.ts');
      process.exitCode = await runTokenInspect(options);
    });
}
