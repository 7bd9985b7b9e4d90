import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What the stand-in prints for `-v` and `--version`. Some hosts refuse older agents. */
const STAND_IN_VERSION = '2.1.330';

/**
 * The program that a host starts in place of an agent. It has no behaviour of its own: it passes what the host writes and which signals it
 * sends to the runner, and does what the runner says. Both directions are lines of JSON; bytes travel as base64.
 *
 * It has to be a file of its own text, because it runs in a process that the host starts, also where this package is part of a bundle.
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
  const tell = (value) => socket.write(JSON.stringify(value) + '\n');
  // The clock of all processes of a machine: the runner learns how long a report was under way.
  const now = () => Number(process.hrtime.bigint()) / 1e6;
  tell({ argv: args, environment: process.env.CLAUDE_CODE_ENTRYPOINT ?? null });
  process.stdin.on('data', (bytes) => {
    if (tell({ input: bytes.toString('base64') })) return;
    process.stdin.pause();
    socket.once('drain', () => process.stdin.resume());
  });
  // A signal that was sent before the input ended is reported first: Node may see it only in the next round of its loop.
  process.stdin.on('end', () => {
    const at = now();
    setImmediate(() => setImmediate(() => tell({ ended: true, at })));
  });
  process.stdin.on('error', () => {});
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => tell({ signal, at: now() }));
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

  // One after the other: an order waits until the bytes of the previous one are written.
  let last = Promise.resolve();
  let rest = '';
  socket.setEncoding('utf8');
  socket.on('data', (text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop();
    for (const line of lines) last = last.then(() => obey(JSON.parse(line)));
  });
  // Without a runner nobody decides anything, and no process may stay behind.
  socket.on('close', () => process.exit(1));
  socket.on('error', () => process.exit(1));

  const write = (stream, text) => new Promise((resolve) => stream.write(Buffer.from(text, 'base64'), () => resolve()));
  async function obey(order) {
    if (order.output !== undefined) await write(process.stdout, order.output);
    if (order.pieces !== undefined) {
      for (const piece of order.pieces) {
        await write(process.stdout, piece);
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
    }
    if (order.diagnostics !== undefined) await write(process.stderr, order.diagnostics);
    if (order.reads === false) process.stdin.pause();
    if (order.reads === true) process.stdin.resume();
    if (order.mark !== undefined) tell({ mark: order.mark });
    if (order.kill !== undefined) process.kill(process.pid, order.kill);
    if (order.exit !== undefined) {
      socket.removeAllListeners('close');
      socket.end(() => process.exit(order.exit));
    }
  }
}
`;

/** The flags of section 9.2, for hosts that read the help of an agent. */
const FLAGS = [
  '--output-format --input-format --verbose --print --include-partial-messages --include-hook-events',
  '--replay-user-messages --model --fallback-model --system-prompt --append-system-prompt --system-prompt-file',
  '--permission-mode --permission-prompt-tool --permission-prompts --allow-dangerously-skip-permissions',
  '--dangerously-skip-permissions --allowedTools --disallowedTools --tools --max-turns --max-budget-usd --settings',
  '--managed-settings --setting-sources --session-id --resume --continue --fork-session --resume-session-at',
  '--no-session-persistence --session-mirror --mcp-config --strict-mcp-config --json-schema --agent --agents',
  '--add-dir --plugin-dir --thinking --max-thinking-tokens --effort --betas --debug --await-initialize',
].flatMap((line) => line.split(' '));

/** Writes the stand-in into a folder, as an executable file that reports to `address`. Returns its path. */
export async function writeStandIn(folder: string, address: string): Promise<string> {
  const path = join(folder, 'agent.mjs');
  const constants = Object.entries({ VERSION: STAND_IN_VERSION, FLAGS, ADDRESS: address });
  const lines = constants.map(([name, value]) => `const ${name} = ${JSON.stringify(value)};`);
  await writeFile(path, ['#!/usr/bin/env node', ...lines, PROGRAM].join('\n'));
  await chmod(path, 0o755);
  return path;
}
