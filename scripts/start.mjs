// Installs, builds and runs the demo, with a line of progress for each step. Shows the output of a tool only if the tool fails.
import { spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import { pnpmCommand } from './pnpm.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const isTerminal = process.stdout.isTTY === true && process.env['TERM'] !== 'dumb';

/** A line that pnpm prints about an installation: "Progress: resolved 80, reused 3, downloaded 20, added 10". */
const INSTALL_PROGRESS = /Progress: resolved (\d+), reused (\d+), downloaded (\d+), added (\d+)/;
/** A line that turbo prints about a task that begins. */
const BUILD_PROGRESS = /^(\S+):build: cache (?:miss|hit)/;

let built = 0;
const isReady =
  (await step('Installing', ['install', '--frozen-lockfile', '--reporter=append-only'], (line) => {
    const [, resolved, reused, downloaded, added] = INSTALL_PROGRESS.exec(line) ?? [];
    return resolved === undefined
      ? undefined
      : `${added} of ${resolved} packages added, ${downloaded} downloaded, ${reused} from the store`;
  })) &&
  (await step(
    'Building',
    ['exec', 'turbo', 'run', 'build', '--filter=@proto/cli', '--log-order=stream', '--output-logs=full'],
    (line) => {
      const [, name] = BUILD_PROGRESS.exec(line) ?? [];
      return name === undefined ? undefined : `package ${++built}, ${name}`;
    },
  ));

if (isReady) {
  const demo = spawnSync(process.execPath, ['packages/cli/bin/sjp.js', 'demo', ...process.argv.slice(2)], {
    cwd: root,
    stdio: 'inherit',
  });
  process.exitCode = demo.status ?? 1;
} else process.exitCode = 1;

/**
 * Runs pnpm and keeps its output. A terminal shows the progress in one line; elsewhere a line is printed at the beginning and at the end.
 * @param {string} title
 * @param {readonly string[]} args
 * @param {(line: string) => string | undefined} progressOf What a line of the output says about the progress.
 * @returns {Promise<boolean>} Whether pnpm succeeded. If not, its output has been printed.
 */
async function step(title, args, progressOf) {
  const began = performance.now();
  const seconds = () => `${Math.round((performance.now() - began) / 1000)} s`;
  let progress = '';
  const show = () => {
    const text = `${title} … ${seconds()}${progress && `, ${progress}`}`;
    process.stdout.write(`\r\u001b[K${text.slice(0, Math.max(20, (process.stdout.columns || 80) - 1))}`);
  };
  if (!isTerminal) console.log(`${title} …`);
  const timer = isTerminal ? setInterval(show, 250) : undefined;
  const { command, args: first, env, shell } = pnpmCommand();
  const child = spawn(command, [...first, ...args], { cwd: root, env, shell, stdio: ['ignore', 'pipe', 'pipe'] });
  /** @type {string[]} */
  const output = [];
  let rest = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output.push(text);
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) progress = progressOf(line) ?? progress;
    });
  }
  const code = await new Promise((resolve) => {
    child.once('error', (error) => {
      output.push(`${command}: ${error.message}\n`);
      resolve(1);
    });
    child.once('close', resolve);
  });
  clearInterval(timer);
  if (isTerminal) process.stdout.write('\r\u001b[K');
  if (code === 0) console.log(`${title} took ${seconds()}`);
  else console.error(`${title} failed after ${seconds()}:\n${output.join('')}`);
  return code === 0;
}
