import { spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROGRAMS } from './random-line.ts';

/** Runs lines in a real shell whose programs are harmless. */
export interface ShellOracle {
  /** Returns the names of the programs that a line has run. */
  run(shell: string, line: string): Promise<ReadonlySet<string>>;
  [Symbol.dispose](): void;
}

const LIMIT_MS = 3000;
/** If this process is root, lines run as this user without rights: a line that the rules allow by mistake cannot change files of the machine. */
const NOBODY = 65_534;
const asNobody = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
/** Harmless programs of the system that run other programs, or that lines need. */
const TOOLS = ['sh', 'bash', 'env', 'xargs', 'nohup', 'nice', 'timeout', 'find', 'stdbuf', 'setsid', 'cat', 'touch'];

/**
 * Creates a folder with harmless tools, and with programs that only record their names. The `PATH` of the lines has only this folder, so they cannot run
 * a real `rm`. Lines run with a minimal environment, and their output is discarded.
 *
 * @throws Error if the machine has no shell.
 */
export function createShellOracle(): ShellOracle {
  const folder = mkdtempSync(join(tmpdir(), 'fuzz-rules-'));
  const [bin, ran] = [join(folder, 'bin'), join(folder, 'ran')];
  chmodSync(folder, 0o755);
  mkdirSync(bin);
  mkdirSync(ran);
  giveAway(ran);
  for (const tool of TOOLS) {
    const found = ['/bin', '/usr/bin'].map((place) => join(place, tool)).find(existsSync);
    if (found !== undefined) symlinkSync(found, join(bin, tool));
    else if (tool === 'sh') throw new Error('the rules fuzzer needs /bin/sh to compare rules with');
  }
  for (const name of PROGRAMS) {
    writeFileSync(join(bin, name), `#!/bin/sh\n: > '${ran}/${name}'\n`);
    chmodSync(join(bin, name), 0o755);
  }
  return {
    async run(shell, line) {
      for (const name of readdirSync(ran)) rmSync(join(ran, name));
      const work = mkdtempSync(join(folder, 'work-'));
      giveAway(work);
      writeFileSync(join(work, 'null'), '');
      giveAway(join(work, 'null'));
      await runLine(join(bin, shell), line, work, bin);
      const names = new Set(readdirSync(ran));
      rmSync(work, { recursive: true, force: true });
      return names;
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** The shells of this machine that run the lines. */
export function shellsHere(): readonly string[] {
  return ['sh', 'bash'].filter((shell) => ['/bin', '/usr/bin'].some((place) => existsSync(join(place, shell))));
}

async function runLine(shell: string, line: string, cwd: string, bin: string): Promise<void> {
  const child = spawn(shell, ['-c', line], {
    cwd,
    env: { PATH: bin, BIN: bin, HOME: cwd },
    stdio: 'ignore',
    detached: true,
    ...asNobody,
  });
  const limit = setTimeout(() => endGroup(child.pid), LIMIT_MS);
  await new Promise<void>((resolve) => {
    child.once('error', () => resolve());
    child.once('close', () => resolve());
  });
  clearTimeout(limit);
  // Programs that still run in the background would be counted for the next line.
  endGroup(child.pid);
}

/** Makes the user of the lines the owner of a file. */
function giveAway(path: string): void {
  if ('uid' in asNobody) chownSync(path, NOBODY, NOBODY);
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // All processes of the group have ended.
  }
}
