import { type Command, Option } from 'commander';
import type { ExplainOptions } from '@proto/terminal/explain';
import { columnsOf } from '../command-line.ts';

export function declareExplain(program: Command): void {
  program
    .command('explain')
    .description(
      'write one readable line for each message of a session: who sent what, what it answers, and after how long',
    )
    .argument('[file]', 'a recording, or NDJSON with one message per line; - is stdin', '-')
    .option('--only <filter>', 'show only the frames that pass, such as "type:control_request status:error"')
    .option('-f, --follow', 'wait at the end of the file for more')
    .option('--json', 'write NDJSON, one object per frame; the last line is the summary')
    .addOption(
      new Option('--direction <side>', 'the side that wrote the lines; of a recording, the side whose lines count')
        .choices(['from-agent', 'from-host', 'auto'])
        .default('auto'),
    )
    .addOption(new Option('--color <when>', 'color the text').choices(['auto', 'always', 'never']).default('auto'))
    .addOption(new Option('--width <columns>', 'the columns that a line may take').argParser(columnsOf))
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
Terms of a filter, which must all hold (- before a term negates it, commas separate alternatives):
  type:NAME            a type, a subtype, or type/subtype; * stands for any characters
  dir:host, dir:agent  sent by that side
  span:KIND            begins or ends a turn, request, permission, hook, mcp, tool, subagent or task
  status:STATUS        open, ok, error, cancelled; known, dropped, unknown, invalid, unmatched, lost
  duration:>500ms      begins or ends something that took longer; also <, s and m
  WORD, text:"a b"     has this text`,
    )
    .action(async (file: string, options: Omit<ExplainOptions, 'name'>) => {
      const { explainFile } = await import('@proto/terminal/explain');
      process.exitCode = await explainFile(file, { ...options, name: 'sjp explain' }, process);
    });
}
