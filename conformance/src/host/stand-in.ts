import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Some hosts refuse older agents. */
const STAND_IN_VERSION = '2.1.330';

/**
 * The program that a host starts instead of an agent. The program only relays: it reports the host's input and signals to the suite, and carries out
 * the suite's orders. In both directions, lines of JSON are sent, in which bytes are encoded as base64.
 *
 * The program is a string, because it runs in a separate process that the host starts, even if this package is part of a bundle.
 */
const PROGRAM = String.raw`
import { connect } from 'node:net';

const args = process.argv.slice(2);
if (args.length === 1 && (args[0] === '-v' || args[0] === '--version')) {
  process.stdout.write(VERSION + ' (conformance)\n');
} else if (args.includes('--help') || args.includes('-h')) {
  process.stdout.write('Usage: agent [options] [prompt]\n\n' + FLAGS.map((flag) => '  ' + flag + '\n').join(''));
} else {
  join();
}

function join() {
  const socket = connect(ADDRESS);
  const report = (value) => socket.write(JSON.stringify(value) + '\n');
  // A clock that all processes on the machine share. From this time, the suite computes how long a report took to arrive.
  const now = () => Number(process.hrtime.bigint()) / 1e6;
  report({ argv: args, environment: process.env.CLAUDE_CODE_ENTRYPOINT ?? null });
  process.stdin.on('data', (bytes) => {
    if (report({ input: bytes.toString('base64') })) return;
    process.stdin.pause();
    socket.once('drain', () => process.stdin.resume());
  });
  // A signal that was sent before the input ended is reported first: Node may notice it only in the next iteration of its event loop.
  process.stdin.on('end', () => {
    const at = now();
    setImmediate(() => setImmediate(() => report({ ended: true, at })));
  });
  process.stdin.on('error', () => {});
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => report({ signal, at: now() }));
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

  // An order waits until the bytes of the previous order are written.
  let last = Promise.resolve();
  let rest = '';
  socket.setEncoding('utf8');
  socket.on('data', (text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop();
    for (const line of lines) last = last.then(() => carryOut(JSON.parse(line)));
  });
  // Without the suite the process has nothing to do, and must not be left running.
  socket.on('close', () => process.exit(1));
  socket.on('error', () => process.exit(1));

  const write = (stream, text) => new Promise((resolve) => stream.write(Buffer.from(text, 'base64'), () => resolve()));
  async function carryOut(order) {
    if (order.output !== undefined) await write(process.stdout, order.output);
    if (order.pieces !== undefined) {
      for (const piece of order.pieces) {
        await write(process.stdout, piece);
        await new Promise((resolve) => setTimeout(resolve, order.every));
      }
    }
    if (order.diagnostics !== undefined) await write(process.stderr, order.diagnostics);
    if (order.reads === false) process.stdin.pause();
    if (order.reads === true) process.stdin.resume();
    if (order.mark !== undefined) report({ mark: order.mark });
    if (order.kill !== undefined) process.kill(process.pid, order.kill);
    if (order.exit !== undefined) {
      socket.removeAllListeners('close');
      socket.end(() => process.exit(order.exit));
    }
  }
}
`;

/** The flags of section 9.2. The stand-in lists them for hosts that read an agent's help. */
const FLAGS = [
  '--output-format --input-format --verbose --print --include-partial-messages --include-hook-events',
  '--replay-user-messages --model --fallback-model --system-prompt --append-system-prompt --system-prompt-file',
  '--permission-mode --permission-prompt-tool --permission-prompts --allow-dangerously-skip-permissions',
  '--dangerously-skip-permissions --allowedTools --disallowedTools --tools --max-turns --max-budget-usd --settings',
  '--managed-settings --setting-sources --session-id --resume --continue --fork-session --resume-session-at',
  '--no-session-persistence --session-mirror --mcp-config --strict-mcp-config --json-schema --agent --agents',
  '--add-dir --plugin-dir --thinking --max-thinking-tokens --effort --betas --debug --await-initialize',
].flatMap((line) => line.split(' '));

/** Writes an executable file that reports to `address`. Returns its path. */
export async function writeStandIn(folder: string, address: string): Promise<string> {
  const path = join(folder, 'agent.mjs');
  const constants = Object.entries({ VERSION: STAND_IN_VERSION, FLAGS, ADDRESS: address });
  const lines = constants.map(([name, value]) => `const ${name} = ${JSON.stringify(value)};`);
  await writeFile(path, ['#!/usr/bin/env node', ...lines, PROGRAM].join('\n'));
  await chmod(path, 0o755);
  return path;
}
