import { spawnSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';

// The hook sees every module that a process resolves, except those that Node loads for itself.
const HOOKS = `
import { writeSync } from 'node:fs';
export async function resolve(specifier, context, next) {
  const found = await next(specifier, context);
  writeSync(1, found.url + '\\n');
  return found;
}`;

/** Returns the packages and modules of Node that a file loads, sorted, without the package of the file. */
export function loadedModules(file: string): string[] {
  const hooks = `data:text/javascript,${encodeURIComponent(HOOKS)}`;
  const own = packageOf(pathToFileURL(file).href);
  const program = `
    import { register } from 'node:module';
    register(${JSON.stringify(hooks)});
    await import(${JSON.stringify(pathToFileURL(file).href)});`;
  const { stdout, stderr, status } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  const names = stdout.trim().split('\n').map(packageOf);
  return [...new Set(names)].filter((name) => name !== own).sort();
}

function packageOf(url: string): string {
  if (url.startsWith('node:')) return url;
  const [, foreign] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url) ?? [];
  if (foreign !== undefined) return foreign;
  const [, own] = /\/(?:packages|server|apps)\/([^/]+)\/dist\//.exec(url) ?? [];
  return own === undefined ? url : `@proto/${own}`;
}
