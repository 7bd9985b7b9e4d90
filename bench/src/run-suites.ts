import { spawnSync } from 'node:child_process';

export type Suite = () => Promise<void>;

/** Runs the suite named, or every one in a process of its own, so that none is measured with the heap of another. */
export async function runSuites(suites: Readonly<Record<string, Suite>>, names: readonly string[]): Promise<void> {
  const [name] = names;
  if (name !== undefined && names.length === 1) {
    const suite = suites[name];
    if (suite === undefined) throw new Error(`no suite "${name}"; there are: ${Object.keys(suites).join(', ')}`);
    return suite();
  }
  for (const each of names.length > 0 ? names : Object.keys(suites)) {
    const { status } = spawnSync(process.execPath, [process.argv[1] as string, each], { stdio: 'inherit' });
    if (status !== 0) process.exitCode = 1;
  }
}
