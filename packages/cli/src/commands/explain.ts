import { type Command, Option } from 'commander';
import type { ExplainOptions } from '@proto/terminal/explain';
import { columnsOf } from '../command-line.ts';

export function declareExplain(program: Command): void {
  program
    .command('explain')
    .description(
      'write one readable line for each message of a session: who sent it, which message it answers, and after what time',
    )
    .argument('[file]', 'a recording, or NDJSON with one message per line; - is stdin', '-')
    .option(
      '--only <filter>',
      'show only the frames that match this filter, such as "type:control_request status:error"',
    )
    .option('-f, --follow', 'at the end of the file, wait for more lines')
    .option('--json', 'write NDJSON, one object per frame; the last line is the summary')
    .addOption(
      new Option('--direction <side>', 'the side that wrote the lines; for a recording, the side whose lines are read')
        .choices(['from-agent', 'from-host', 'auto'])
        .default('auto'),
    )
    .addOption(new Option('--color <when>', 'color the text').choices(['auto', 'always', 'never']).default('auto'))
    .addOption(new Option('--width <columns>', 'the maximum width of a line, in columns').argParser(columnsOf))
    .addHelpText(
      'before',
      `Examples:
  sjp run "fix the failing test" --record fix.jsonl -- claude; sjp explain fix.jsonl
  sjp explain fix.jsonl --only "span:permission duration:>500ms"
  claude -p --input-format stream-json --output-format stream-json --verbose < prompts.ndjson | sjp explain --direction from-agent
`,
    )
    .addHelpText(
      'after',
      `
Terms of a filter (all of them must match; - before a term negates it, commas separate alternatives):
  type:NAME            a type, a subtype, or type/subtype; * matches any characters
  dir:host, dir:agent  sent by that side
  span:KIND            begins or ends a turn, request, permission, hook, mcp, tool, subagent or task
  status:STATUS        has this status: open, ok, error, cancelled; known, dropped, unknown, invalid, unmatched, lost
  duration:>500ms      begins or ends something that took longer; < means shorter, s and m are other units
  WORD, text:"a b"     contains this text`,
    )
    .action(async (file: string, options: Omit<ExplainOptions, 'name'>) => {
      const { explainFile } = await import('@proto/terminal/explain');
      process.exitCode = await explainFile(file, { ...options, name: 'sjp explain' }, process);
    });
}
