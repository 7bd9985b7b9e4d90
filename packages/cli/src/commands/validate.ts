import { type Command, Option } from 'commander';
import type { ValidateOptions } from '@proto/terminal/validate';

export function declareValidate(program: Command): void {
  program
    .command('validate')
    .description('check lines of the protocol against the schemas, and list unknown messages and members')
    .argument('[file]', 'NDJSON, one message per line, or a recording; - is stdin', '-')
    .addOption(
      new Option('--direction <side>', 'the side that wrote the lines; for a recording, the side whose lines are read')
        .choices(['from-agent', 'from-host', 'auto'])
        .default('auto'),
    )
    .option('--strict', 'treat a line with an invalid optional member as invalid')
    .option('--stats', 'also write how often each kind of message occurs')
    .option('--json', 'write findings as NDJSON; the last line is the result')
    .addHelpText(
      'before',
      `Examples:
  sjp validate wire.ndjson --stats
  sjp validate fix.jsonl
  claude -p --input-format stream-json --output-format stream-json --verbose < prompts.ndjson | sjp validate --direction from-agent --strict --json
`,
    )
    .addHelpText(
      'after',
      '\nExits with 6 if a line is invalid or the file contains no messages, and with 2 if the file cannot be read.',
    )
    .action(async (file: string, options: Omit<ValidateOptions, 'name'>) => {
      const { validateFile } = await import('@proto/terminal/validate');
      process.exitCode = await validateFile(file, { ...options, name: 'sjp validate' }, process);
    });
}
