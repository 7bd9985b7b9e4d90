import { type Command, Option } from 'commander';
import { collect } from '../command-line.ts';
import type { InspectOptions, NewTokenOptions } from '../operate/run-token.ts';

/** A token is never passed as an argument, because other users of the machine can see arguments. */
export function declareToken(program: Command): void {
  const token = program.command('token').description('create tokens for accounts, and show what a token contains');
  token
    .command('new')
    .description('create a token for an account of a server, and write it to stdout or to a private file')
    .addOption(new Option('--name <name>', 'the name of the account').default('driver'))
    .addOption(
      new Option('--role <role>', 'what the account may do')
        .choices(['driver', 'approver', 'viewer'])
        .default('driver'),
    )
    .addOption(new Option('--only-session <id>', 'limit the account to this session; repeatable').argParser(collect))
    .option('--accounts <file>', 'add the account to this accounts file, with the hash of the token')
    .option('--out <file>', 'write the token into a new file that only its owner can read, instead of to stdout')
    .addHelpText(
      'before',
      `Examples:
  sjp token new --name alice --role approver --accounts accounts.json --out alice.token
  sjp token new > my-token
`,
    )
    .addHelpText('after', '\nWithout --accounts, the entry for an accounts file is written to stderr.')
    .action(async (options: NewTokenOptions) => {
      const { runTokenNew } = await import('../operate/run-token.ts');
      process.exitCode = await runTokenNew(options);
    });
  token
    .command('inspect')
    .description('show what a token contains: its hash, or its claims and its expiry; never the token itself')
    .addOption(
      new Option('--token-file <file>', 'the file with the token; - is stdin (default: the token in SJP_TOKEN)').env(
        'SJP_TOKEN_INSPECT_TOKEN_FILE',
      ),
    )
    .option('--accounts-file <file>', 'show which account in this file has the token')
    .option('--json', 'write the result as JSON')
    .action(async (options: InspectOptions) => {
      const { runTokenInspect } = await import('../operate/run-token.ts');
      process.exitCode = await runTokenInspect(options);
    });
}
