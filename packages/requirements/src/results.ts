import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

import type { TestOutcome } from './coverage.ts';

const RESULTS = join('.vitest', 'results.json');
/** The results of the long tests. */
const SYSTEM_RESULTS = join('tests', '.vitest', 'system.json');
const PARENTS = ['packages', 'examples'];

/** The result files that vitest left in the packages of the workspace at `root`. */
export function findResults(root: string): readonly string[] {
  const folders = PARENTS.filter((parent) => existsSync(join(root, parent))).flatMap((parent) =>
    readdirSync(join(root, parent)).map((name) => join(parent, name)),
  );
  const files = [...[...folders, 'tests'].map((folder) => join(folder, RESULTS)), SYSTEM_RESULTS];
  return files.map((file) => join(root, file)).filter((file) => existsSync(file));
}

/** The tests of one results file. Throws for a file of any other form: a run that was cut off must not read as a run without tests. */
export function readResults(root: string, file: string): readonly TestOutcome[] {
  let results: VitestResults | null;
  try {
    results = JSON.parse(readFileSync(file, 'utf8')) as VitestResults | null;
  } catch (cause) {
    throw unreadable(root, file, cause);
  }
  if (!Array.isArray(results?.testResults)) throw unreadable(root, file);
  return results.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ title, status, meta }) => ({
      name: title,
      file: inRoot(root, name),
      status,
      programs: meta?.programs ?? [],
    })),
  );
}

/** The part of vitest's JSON reporter that is read here. */
interface VitestResults {
  readonly testResults?: {
    readonly name: string;
    readonly assertionResults: readonly {
      readonly title: string;
      readonly status: string;
      /** What `verifies` notes of a test. */
      readonly meta?: { readonly programs?: readonly string[] };
    }[];
  }[];
}

function unreadable(root: string, file: string, cause?: unknown): Error {
  return new Error(`requirements: ${inRoot(root, file)} is no vitest result`, { cause });
}

function inRoot(root: string, file: string): string {
  return relative(root, file).split(sep).join('/');
}
