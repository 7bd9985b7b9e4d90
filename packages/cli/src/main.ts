#!/usr/bin/env node
import { fileURLToPath } from 'node:url';
import about from '../package.json' with { type: 'json' };
import { declareAgent } from './commands/declare-agent.ts';
import { declareBridge } from './commands/declare-bridge.ts';
import { declareConnect } from './commands/declare-connect.ts';
import { declareConvert } from './commands/declare-convert.ts';
import { declareDemo } from './commands/declare-demo.ts';
import { declareReplay } from './commands/declare-replay.ts';
import { declareRun } from './commands/declare-run.ts';
import { declareServe } from './commands/declare-serve.ts';
import { declareShim } from './commands/declare-shim.ts';
import { declareValidate } from './commands/declare-validate.ts';
import { declareVersion } from './commands/declare-version.ts';
import { EnvCommand } from './env-command.ts';
import { errorLine } from '@proto/terminal/process';

// Whoever reads our output has seen enough: that is no error, and a child leaves when its input closes with us.
function leaveUnread({ code, message }: NodeJS.ErrnoException): void {
  if (code !== 'EPIPE') process.stderr.write(`sjp: cannot write the output: ${code ?? message}\n`);
  process.exit(code === 'EPIPE' ? 0 : 1);
}
process.stdout.on('error', leaveUnread);
const stay = () => void process.stdout.off('error', leaveUnread);

const ownAgent = fileURLToPath(new URL('agent.js', import.meta.url));

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

// An agent finishes its turn all the same.
declareAgent(program, stay);
declareConnect(program);
declareBridge(program, agentArgv);
declareShim(program);
declareConvert(program);
declareDemo(program, ownAgent);
// Whoever leaves without reading has done something else than was recorded.
declareReplay(program, agentArgv, stay);
declareRun(program, agentArgv, ownAgent);
declareServe(program, agentArgv);
declareValidate(program);
declareVersion(program);

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
