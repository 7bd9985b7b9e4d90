import { type Command, Option } from 'commander';
import type { DiffFilesOptions } from '@proto/terminal/diff';
import { columnsOf, ignoreOption } from '../command-line.ts';

export function declareDiff(program: Command): void {
  program
    .command('diff')
    .description('show how two recordings differ, turn by turn; differences in ids and times are ignored')
    .argument('<file>', 'the expected recording; - is stdin')
    .argument('<file>', 'the recording to compare with it; - is stdin')
    .addOption(ignoreOption())
    .option('--json', 'write NDJSON, one object per difference; the last line is the result')
    .addOption(new Option('--color <when>', 'color the text').choices(['auto', 'always', 'never']).default('auto'))
    .addOption(new Option('--width <columns>', 'the maximum width of a line, in columns').argParser(columnsOf))
    .addHelpText(
      'before',
      `Examples:
  sjp diff before.jsonl after.jsonl
  sjp diff before.jsonl after.jsonl --ignore "**.usage" --ignore total_cost_usd
`,
    )
    .addHelpText(
      'after',
      `
A place consists of names separated by dots. * matches one name, ** matches any number of names.
Exits with 6 if the recordings differ.`,
    )
    .action(async (expected: string, found: string, options: Omit<DiffFilesOptions, 'name'>) => {
      const { diffFiles } = await import('@proto/terminal/diff');
      process.exitCode = await diffFiles(expected, found, { ...options, name: 'sjp diff' }, process);
    });
}
