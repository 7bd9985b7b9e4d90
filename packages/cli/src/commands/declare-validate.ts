import { type Command, Option } from 'commander';
import type { ValidateOptions } from './validate.ts';

/** Adds `sjp validate` to the commands. */
export function declareValidate(program: Command): void {
  program
    .command('validate')
    .description('check lines of the wire against the schemas, and list what they hold that is not known')
    .argument('[file]', 'NDJSON, one message per line, or a recording; - is stdin', '-')
    .addOption(
      new Option('--direction <side>', 'who wrote the lines; of a recording, which of them are checked')
        .choices(['from-agent', 'from-host', 'auto'])
        .default('auto'),
    )
    .option('--strict', 'an invalid optional member makes its line invalid')
    .option('--stats', 'also tell how often each message was seen')
    .option('--json', 'write findings as NDJSON, the last line is the result')
    .addHelpText(
      'before',
      `Examples:
  sjp validate wire.ndjson --stats
  sjp validate fix.jsonl
  my-agent < prompts.ndjson | sjp validate --direction from-agent --strict --json
`,
    )
    .addHelpText('after', '\nExits with 6 when a line is invalid, and with 2 when the file cannot be read.')
    .action(async (file: string, options: ValidateOptions) => {
      const { validate } = await import('./validate.ts');
      process.exitCode = await validate(file, options);
    });
}
