import { type Command, InvalidArgumentError, Option } from 'commander';
import type { ConvertOptions } from '@proto/terminal/convert';

export function declareConvert(program: Command): void {
  program
    .command('convert')
    .description("write another agent's output as messages of the protocol")
    .argument('[file]', 'the output of the agent; - is stdin', '-')
    .requiredOption('--from <name>', 'the agent: claude, codex, gemini, opencode, amp, copilot, qwen, pi, kiro, …')
    .addOption(
      new Option(
        '--exit-code <code>',
        'the exit code of the agent, for agents that report their result by the exit code',
      )
        .argParser(exitCodeOf)
        .default(0),
    )
    .option(
      '--raw',
      'keep the original records: each with the first message that is made from it, or as a separate message',
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
Lines that are not records are skipped and reported on stderr. Exits with 2 for an unknown agent and for a file that cannot be read.`,
    )
    .action(async (file: string, options: Omit<ConvertOptions, 'name'>) => {
      const { convertFile } = await import('@proto/terminal/convert');
      process.exitCode = await convertFile(file, { ...options, name: 'sjp convert' }, process);
    });
}

function exitCodeOf(text: string): number {
  if (!/^\d{1,3}$/.test(text) || Number(text) > 255)
    throw new InvalidArgumentError('The exit code must be a number from 0 to 255.');
  return Number(text);
}
