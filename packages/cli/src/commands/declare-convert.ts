import { type Command, InvalidArgumentError, Option } from 'commander';
import type { ConvertOptions } from './convert.ts';

/** Adds `sjp convert` to the commands. */
export function declareConvert(program: Command): void {
  program
    .command('convert')
    .description("write another agent's output as messages of the protocol")
    .argument('[file]', 'what the agent printed; - is stdin', '-')
    .requiredOption('--from <name>', 'the agent: claude, codex, gemini, opencode, amp, copilot, qwen, pi, kiro, …')
    .addOption(
      new Option('--exit-code <code>', 'what it left with, for agents that tell their end by that')
        .argParser(exitCodeOf)
        .default(0),
    )
    .option(
      '--raw',
      'keep the records: what has no message as one of its own, the others with the first made from them',
    )
    .addHelpText(
      'before',
      `Examples:
  sjp convert --from codex codex.jsonl
  gemini --output-format stream-json < prompt.txt | sjp convert --from gemini | sjp validate --direction from-agent
`,
    )
    .addHelpText(
      'after',
      `
Lines that are no records are told on stderr and left out. Exits with 2 for an unknown agent and for a file that cannot be read.`,
    )
    .action(async (file: string, options: ConvertOptions) => {
      const { convert } = await import('./convert.ts');
      process.exitCode = await convert(file, options);
    });
}

function exitCodeOf(text: string): number {
  if (!/^\d{1,3}$/.test(text)) throw new InvalidArgumentError('It is a number from 0 to 255.');
  return Number(text);
}
