import { AsyncLocalStorage } from 'node:async_hooks';
import type { ChildProcess } from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';
import { realpathSync } from 'node:fs';

/** The built files of the command line tools, in this repository or installed from a package. */
const BUILT_PROGRAM = /(?:^|[/\\])(?:packages|@proto)[/\\]cli[/\\]dist[/\\](main|agent|shim)\.js$/;

/** The processes that were started outside the body of a test, for example by a hook. They may serve every test of their file. */
const shared = new Set<ChildProcess>();
const ofConcurrentTest = new AsyncLocalStorage<Set<ChildProcess>>();
let ofTest: Set<ChildProcess> | undefined;

// Node reports each process in its constructor, before the command line is known.
subscribe('child_process', (message) => {
  (ofConcurrentTest.getStore() ?? ofTest ?? shared).add((message as { process: ChildProcess }).process);
});

/**
 * Runs the body of a test and gives the names of the built programs that ran meanwhile (`main`, `agent`, `shim`): those that the body started, and
 * those that a hook of the file started and that still ran when the body began. A process whose command line names the built file counts, so a shell or a
 * host that starts the program counts too. A program that ended before the body began does not count, nor does a synchronous start (`spawnSync`).
 */
export async function programsDuring(
  isConcurrent: boolean,
  body: () => void | Promise<void>,
): Promise<readonly string[]> {
  for (const child of shared) if (child.exitCode !== null || child.signalCode !== null) shared.delete(child);
  const started = new Set(shared);
  if (isConcurrent) {
    // This is expensive for every promise of the process, so it is done only if tests run at the same time.
    await ofConcurrentTest.run(started, body);
  } else {
    ofTest = started;
    try {
      await body();
    } finally {
      ofTest = undefined;
    }
  }
  return [...new Set([...started].flatMap(programsOf))].sort();
}

function programsOf(child: ChildProcess): readonly string[] {
  // A process that could not be started has no command line.
  const words = (child.spawnargs ?? []).flatMap((arg) => arg.split(/[\s'"]+/));
  return words.flatMap((word) => BUILT_PROGRAM.exec(realPath(word))?.[1] ?? []);
}

/** Follows links, such as those that a package manager makes for the programs of a package. */
function realPath(word: string): string {
  if (!/[/\\]/.test(word)) return word;
  try {
    return realpathSync(word);
  } catch {
    return word;
  }
}
