#!/usr/bin/env node
import { fileURLToPath } from 'node:url';
import { InvalidArgumentError, Option } from 'commander';
import about from '../package.json' with { type: 'json' };
import { declareBridge } from './commands/declare-bridge.ts';
import type { ConvertOptions } from './commands/convert.ts';
import type { ReplayFlags } from './commands/replay.ts';
import { declareConnect } from './commands/declare-connect.ts';
import { declareServe } from './commands/declare-serve.ts';
import type { DemoOptions } from './commands/demo.ts';
import { declareShim } from './commands/declare-shim.ts';
import type { ValidateOptions } from './commands/validate.ts';
import { EnvCommand } from './env-command.ts';
import { errorLine } from './error-line.ts';
import type { RunOptions } from './run/run-plan.ts';

// Whoever reads our output has seen enough: that is no error, and a child leaves when its input closes with us.
function leaveUnread({ code, message }: NodeJS.ErrnoException): void {
  if (code !== 'EPIPE') process.stderr.write(`sjp: cannot write the output: ${code ?? message}\n`);
  process.exit(code === 'EPIPE' ? 0 : 1);
}
process.stdout.on('error', leaveUnread);

// What stands behind `--` is the command line of an agent, and none of ours to read.
const dashes = process.argv.indexOf('--');
const argv = dashes === -1 ? process.argv : process.argv.slice(0, dashes);
const agentArgv = dashes === -1 ? [] : process.argv.slice(dashes + 1);

const program = new EnvCommand('sjp')
  .description('Run, show and check stream-json agents.')
  .version(about.version)
  .addHelpText(
    'before',
    `Examples:
  sjp demo
  sjp run "fix the failing test" -- claude
  sjp serve -- claude
  sjp validate wire.ndjson
`,
  )
  .addHelpText('after', '\n`--help --json` writes the commands and their flags as JSON.')
  .configureOutput({
    outputError(text, write) {
      write(isForPrograms() ? errorLine({ code: 'usage', message: text.trim().replace(/^error: /, '') }) : text);
    },
  })
  // A wrong command line is 2, apart from what may go wrong with what it says. Commands take this over.
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2));

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

declareConnect(program);

declareBridge(program, agentArgv);

declareShim(program);

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
    const { convert } = await import('./commands/convert.ts');
    process.exitCode = await convert(file, options);
  });

program
  .command('demo')
  .description(
    'run a whole session over each transport, cut its link on purpose, and count what became of every message',
  )
  .option('--json', 'write what was sent and seen as NDJSON, the last line is the result')
  .addOption(
    new Option('--fault <kind>', 'do that to some messages, to see that it is noticed')
      .choices(['drop', 'dup', 'reorder'])
      .env('SJP_DEMO_FAULT'),
  )
  .addHelpText(
    'before',
    `Examples:
  sjp demo
  SJP_DEMO_FAULT=drop sjp demo --json
`,
  )
  .addHelpText('after', '\nExits with 1 where a message was lost, doubled or out of order.')
  .action(async (options: DemoOptions) => {
    const { demo } = await import('./commands/demo.ts');
    process.exitCode = await demo(fileURLToPath(new URL('agent.js', import.meta.url)), options);
  });

program
  .command('replay')
  .description('play one side of a recording: the agent to a host at stdin and stdout, or the host to an agent')
  .usage('FILE [options] [-- AGENT...]')
  .argument('<file>', 'what `sjp run --record` has written')
  .addOption(new Option('--as <side>', 'who is played').choices(['agent', 'host']).default('agent'))
  .addOption(
    new Option('--speed <factor>', 'how many times as fast as it was; max is at once')
      .argParser(speedOf)
      .default(Infinity, 'max'),
  )
  .addOption(
    new Option('--match <mode>', 'how alike the live side has to be: to the letter, with its own ids, or in kind')
      .choices(['strict', 'ids', 'shape'])
      .default('ids'),
  )
  // The flags that hosts pass to an agent mean nothing to a recorded one.
  .allowUnknownOption()
  .allowExcessArguments()
  .addHelpText(
    'before',
    `Examples:
  sjp run "fix the failing test" -- sjp replay fix.jsonl
  sjp replay fix.jsonl --as host --match shape -- claude --output-format stream-json --input-format stream-json --verbose
`,
  )
  .addHelpText('after', '\nExits with 6 when the live side does something else than was recorded; stderr shows what.')
  .action(async (file: string, options: ReplayFlags) => {
    const { replayFile } = await import('./commands/replay.ts');
    // Who leaves without reading has done something else.
    process.stdout.off('error', leaveUnread);
    process.exitCode = await replayFile(file, agentArgv, options);
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
  .addOption(new Option('--json', 'the same as --format ndjson').implies({ format: 'ndjson' }))
  .option('--permissions <policy>', 'who answers what the agent asks: ask, allow, deny or rules:FILE', 'ask')
  .option('--fail-on-deny', 'exit with 8 when the policy has denied anything')
  .addOption(
    new Option('--until <end>', 'the first result, that nothing goes on any more, or that the agent leaves by itself')
      .choices(['turn', 'idle', 'exit'])
      .default('turn'),
  )
  .option('--timeout <duration>', 'stop it after that long, such as 90s or 2m')
  .option(
    '--idle-timeout <duration>',
    'stop it when it has said nothing for that long, and was not waiting for an answer',
  )
  .option('--adapter <name>', 'the format of the agent: codex, gemini, opencode, amp, copilot, qwen, pi, kiro, text, …')
  .option(
    '--record <file>',
    'write what goes between host and agent to a file, which `sjp replay` plays; without secrets',
  )
  .option('--no-redact', 'leave the secrets in the recording')
  .addOption(new Option('--color <when>', 'color the text').choices(['auto', 'always', 'never']).default('auto'))
  .addHelpText(
    'before',
    `Examples:
  sjp run "/read package.json" --permissions ask
  sjp run "fix the failing test" --permissions rules:rules.json -- claude --model sonnet
  git diff | sjp run --format final --permissions deny -- claude
  sjp run "explain this folder" --adapter codex
  sjp run "fix the failing test" --record fix.jsonl -- claude
`,
  )
  .addHelpText(
    'after',
    `
The agent is started with the flags of the protocol; without one it is the reference agent. Ctrl-C interrupts the turn, twice closes,
three times kills. Permissions are asked for on a terminal; elsewhere what would be asked for is denied.
With --adapter the agent is another one, such as codex or gemini: its own program, or what stands behind --, gets the flags of its
format. It decides on permissions by itself, and Ctrl-C ends it.

Rules are a JSON object: { "allow": ["Read", "Bash(git log *)"], "ask": [], "deny": ["Read(//etc/**)"], "default": "deny" }

Exits with 0, 1 failed, 2 wrong usage, 4 no such agent, 5 the agent ended with an error, 7 timeout, 8 nobody to ask, 130 interrupted,
143 ended by the system. With --format json and ndjson stderr has {"error":{"code":…,"message":…,"retryable":…}}.`,
  )
  .action(async (prompt: string | undefined, options: RunOptions) => {
    const { run } = await import('./commands/run.ts');
    const isOurs = agentArgv.length === 0 && options.adapter === undefined;
    const agent = isOurs ? [fileURLToPath(new URL('agent.js', import.meta.url))] : agentArgv;
    process.exitCode = await run(prompt, agent, options);
  });

declareServe(program, agentArgv);

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
    'before',
    `Examples:
  sjp validate wire.ndjson --stats
  my-agent < prompts.ndjson | sjp validate --direction from-agent --strict --json
`,
  )
  .addHelpText('after', '\nExits with 6 when a line is invalid, and with 2 when the file cannot be read.')
  .action(async (file: string, options: ValidateOptions) => {
    const { validate } = await import('./commands/validate.ts');
    process.exitCode = await validate(file, options);
  });

program
  .command('version')
  .description('tell the version of this program')
  .option('--json', 'also those of Node and of the protocol')
  .action(async (options: { readonly json?: boolean }) => {
    const { version: tell } = await import('./commands/version.ts');
    tell(options);
  });

const [, , word, ...flags] = argv;
const asked = program.commands.find((command) => command.name() === word);
if (word !== 'agent' && word !== 'shim' && [word, ...flags].includes('--help') && flags.includes('--json')) {
  const { commandTree } = await import('./command-tree.ts');
  process.stdout.write(`${JSON.stringify(commandTree(asked ?? program), null, 2)}\n`);
} else {
  await program.parseAsync(['run', 'replay', 'serve', 'bridge'].includes(word ?? '') ? argv : process.argv);
}

/** Whether what is written is asked for as JSON, of a command line that could not be read. */
function isForPrograms(): boolean {
  const wanted = ['--json', '--format=json', '--format=ndjson'];
  return argv.some((flag, at) => wanted.includes(flag === '--format' ? `--format=${argv[at + 1]}` : flag));
}

function speedOf(text: string): number {
  const factor = text === 'max' ? Infinity : Number(text);
  if (!(factor > 0)) throw new InvalidArgumentError('It is a number such as 1 or 0.5, or max.');
  return factor;
}

function exitCodeOf(text: string): number {
  if (!/^\d{1,3}$/.test(text)) throw new InvalidArgumentError('It is a number from 0 to 255.');
  return Number(text);
}
