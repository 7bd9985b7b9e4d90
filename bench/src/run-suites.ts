import { spawnSync } from 'node:child_process';

/** Measures and reports the rows of one id. */
export type Suite = () => Promise<void>;

/** Runs the suite named; several, or `all` (the default), each in a process of its own, so that none is measured with the heap of another. */
export async function runSuites(suites: Readonly<Record<string, Suite>>, names: readonly string[]): Promise<void> {
  const [name] = names;
  if (name !== undefined && name !== 'all' && names.length === 1) {
    const suite = suites[name];
    if (suite === undefined) throw new Error(`no suite "${name}"; there are: ${Object.keys(suites).join(', ')}`);
    return suite();
  }
  for (const each of names.length > 0 && name !== 'all' ? names : Object.keys(suites)) {
    const { status } = spawnSync(process.execPath, [process.argv[1] as string, each], { stdio: 'inherit' });
    if (status !== 0) process.exitCode = 1;
  }
}
