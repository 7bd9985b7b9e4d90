#!/usr/bin/env node
import { fileURLToPath } from 'node:url';
import { Command, InvalidArgumentError, Option } from 'commander';
import type { ConvertOptions } from './commands/convert.ts';
import type { RunOptions } from './commands/run.ts';
import type { ValidateOptions } from './commands/validate.ts';

// Whoever reads our output has seen enough: that is no error, and a child leaves when its input closes with us.
function leaveUnread(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
}
process.stdout.on('error', leaveUnread);

// What stands behind `--` is the command line of an agent, and none of ours to read.
const dashes = process.argv.indexOf('--');
const argv = dashes === -1 ? process.argv : process.argv.slice(0, dashes);
const agentArgv = dashes === -1 ? [] : process.argv.slice(dashes + 1);

const program = new Command('sjp').description('Run, show and check stream-json agents.').version('0.0.0');

program
  .command('agent')
  .description('be the reference agent, or that of --module FILE; takes the flags that hosts pass to an agent')
  .helpOption(false)
  .allowUnknownOption()
  .allowExcessArguments()
  .argument('[args...]')
  .action(async (args: string[]) => {
    const { agent } = await import('./commands/agent.ts');
    // An agent finishes its turn.
    process.stdout.off('error', leaveUnread);
    await agent(args);
  });

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
  .option('--raw', 'keep the records: what has no message as one of its own, the others with the first made from them')
  .addHelpText(
    'after',
    `
Lines that are no records are told on stderr and left out. Exits with 2 for an unknown agent and for a file that cannot be read.

Examples:
  sjp convert --from codex codex.jsonl
  gemini --output-format stream-json < prompt.txt | sjp convert --from gemini | sjp validate --direction from-agent`,
  )
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
  .action(async (file: string, options: ConvertOptions) => {
    const { convert } = await import('./commands/convert.ts');
    process.exitCode = await convert(file, options);
  });

program
  .command('demo')
  .description('run a whole session: a host, an agent as its child, and what they say to each other')
  .action(async () => {
    const { demo } = await import('./commands/demo.ts');
    await demo(fileURLToPath(new URL('agent.js', import.meta.url)));
  });

program
  .command('run')
  .description('host an agent for one prompt: show what it does, and answer what it asks')
  .usage('[PROMPT] [options] [-- AGENT...]')
  .argument('[prompt]', 'what to ask; - or nothing is stdin')
  .option('--input <file>', 'take the prompt from a file')
  .addOption(
    new Option(
      '--format <format>',
      'what stdout gets: what people read, the result, every message, or the answer alone',
    )
      .choices(['text', 'json', 'ndjson', 'final'])
      .default('text'),
  )
  .option('--permissions <policy>', 'who answers what the agent asks: ask, allow, deny or rules:FILE', 'ask')
  .option('--fail-on-deny', 'exit with 8 when the policy has denied anything')
  .addOption(
    new Option('--until <end>', 'the first result, that nothing goes on any more, or that the agent leaves by itself')
      .choices(['turn', 'idle', 'exit'])
      .default('turn'),
  )
  .option('--timeout <duration>', 'stop it after that long, such as 90s or 2m')
  .addOption(new Option('--color <when>', 'color the text').choices(['auto', 'always', 'never']).default('auto'))
  .addHelpText(
    'after',
    `
The agent is started with the flags of the protocol; without one it is the reference agent. Ctrl-C interrupts the turn, twice closes,
three times kills. Permissions are asked for on a terminal; elsewhere what would be asked for is denied.

Rules are a JSON object: { "allow": ["Read", "Bash(git log *)"], "ask": [], "deny": ["Read(//etc/**)"], "default": "deny" }

Exits with 0, 1 failed, 2 wrong usage, 4 no such agent, 5 the agent ended with an error, 7 timeout, 8 nobody to ask, 130 interrupted.

Examples:
  sjp run "/read package.json" --permissions ask
  sjp run "fix the failing test" --permissions rules:rules.json -- claude --model sonnet
  git diff | sjp run --format final --permissions deny -- claude`,
  )
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
  .action(async (prompt: string | undefined, options: RunOptions) => {
    const { run } = await import('./commands/run.ts');
    const [command = fileURLToPath(new URL('agent.js', import.meta.url)), ...args] = agentArgv;
    process.exitCode = await run(prompt, [command, ...args], options);
  });

program
  .command('validate')
  .description('check lines of the wire against the schemas, and list what they hold that is not known')
  .argument('[file]', 'NDJSON, one message per line; - is stdin', '-')
  .addOption(
    new Option('--direction <side>', 'who wrote the lines')
      .choices(['from-agent', 'from-host', 'auto'])
      .default('auto'),
  )
  .option('--strict', 'an invalid optional member makes its line invalid')
  .option('--stats', 'also tell how often each message was seen')
  .option('--json', 'write findings as NDJSON, the last line is the result')
  .addHelpText(
    'after',
    `
Exits with 6 when a line is invalid, and with 2 when the file cannot be read.

Examples:
  sjp validate wire.ndjson --stats
  my-agent < prompts.ndjson | sjp validate --direction from-agent --strict --json`,
  )
  // A wrong flag is 2 here, apart from what is wrong with the lines.
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
  .action(async (file: string, options: ValidateOptions) => {
    const { validate } = await import('./commands/validate.ts');
    process.exitCode = await validate(file, options);
  });

await program.parseAsync(process.argv[2] === 'run' ? argv : process.argv);

function exitCodeOf(text: string): number {
  if (!/^\d{1,3}$/.test(text)) throw new InvalidArgumentError('It is a number from 0 to 255.');
  return Number(text);
}
