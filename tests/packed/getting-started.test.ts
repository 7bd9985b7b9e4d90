/** The pages of `docs/getting-started`, followed to the letter: their files are written, their commands are run, and their output is compared. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { freePort } from '@proto/test-support';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { install, packages, project, root, scratch } from './packed-project.ts';

const folder = join(root, 'docs/getting-started');
const pages = readdirSync(folder).filter((name) => name.endsWith('.md'));

beforeAll(install, 240_000);
const servers: ChildProcess[] = [];
afterAll(async () => {
  for (const server of servers) {
    if (server.exitCode !== null) continue;
    server.kill();
    await once(server, 'exit');
  }
  rmSync(scratch, { recursive: true, force: true });
}, 60_000);

/** The port that the pages name. */
const PORT = '4983';

/** A step of a page: a file to write, or a command with the output that the page shows. */
type Step = { readonly file: string; readonly text: string } | { readonly command: string; readonly output: string };

function stepsOf(page: string): Step[] {
  const blocks = page.matchAll(/```(js|ts|console)\n(.*?)```/gs);
  return Array.from(blocks, ([, language, block = '']): Step[] => {
    if (language === 'console') {
      return block
        .split(/^\$ /m)
        .slice(1)
        .map((text) => {
          const [command = '', ...output] = text.split('\n');
          return { command, output: output.join('\n') };
        });
    }
    const [, file = '', text = ''] = /^\/\/ (\S+)\n(.*)$/s.exec(block) ?? [];
    return [{ file, text }];
  }).flat();
}

/** Matches the output that a page shows: `…` stands for any text. */
function matching(shown: string): unknown {
  if (!shown.includes('…')) return shown;
  const parts = shown.split('…').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return expect.stringMatching(new RegExp(`^${parts.join('[^]*')}$`));
}

test.each(pages)(
  '%s works as it says',
  async (name) => {
    const steps = stepsOf(readFileSync(join(folder, name), 'utf8'));
    expect(steps.length).toBeGreaterThan(2);
    const cwd = join(project, name.replace('.md', ''));
    mkdirSync(cwd, { recursive: true });
    writeFileSync(join(cwd, 'package.json'), '{ "type": "module", "private": true }');
    const port = String(await freePort());
    const env = {
      ...process.env,
      PATH: [join(project, 'node_modules/.bin'), process.env['PATH']].join(delimiter),
      // The user's home folder, which contains the default place of the token.
      HOME: cwd,
      SJP_LISTEN: `127.0.0.1:${port}`,
      // The pages show texts without colours.
      FORCE_COLOR: undefined,
      NO_COLOR: '1',
    };
    for (const step of steps) {
      if ('file' in step) {
        expect(step.file).toMatch(/^[\w.-]+\.m?[jt]s$/);
        writeFileSync(join(cwd, step.file), step.text.replaceAll(PORT, port));
      } else if (step.command.startsWith('npm install ')) {
        // The test has already installed the packages of this repository.
        const named = step.command.split(' ').filter((word) => word.startsWith('@proto/'));
        expect(named.filter((one) => !packages.some((known) => known.name === one))).toEqual([]);
      } else if (step.command.startsWith('sjp serve ')) {
        const server = spawn('sh', ['-c', `exec ${step.command} 2>&1`], {
          cwd,
          env,
          stdio: ['ignore', 'pipe', 'inherit'],
        });
        servers.push(server);
        // The lines for people are on stderr. The first lines are written at once.
        const ended = once(server, 'exit').then(() => ['the server has ended']);
        const [text] = (await Promise.race([once(server.stdout.setEncoding('utf8'), 'data'), ended])) as [string];
        server.stdout.resume();
        expect(text).toContain(step.output.replaceAll(PORT, port));
      } else {
        const { status, stdout, stderr } = spawnSync('sh', ['-c', step.command], {
          cwd,
          env,
          timeout: 60_000,
          encoding: 'utf8',
        });
        const output = matching(step.output);
        expect({ command: step.command, status, output: stdout }, stderr).toEqual({
          command: step.command,
          status: 0,
          output,
        });
        if (step.command.startsWith('npx ')) continue;
        // A beginner must not see warnings. `sjp run` reports each decision about a tool as a line on stderr.
        const complaints = stderr.split('\n').filter((line) => line !== '' && !line.startsWith('{"permission":'));
        expect({ command: step.command, complaints }).toEqual({ command: step.command, complaints: [] });
      }
    }
  },
  120_000,
);
