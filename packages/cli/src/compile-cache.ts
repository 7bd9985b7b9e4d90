import module from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * Caches the compiled code of modules that are loaded later, so that the next start need not compile them. On Node 24 this saves a fifth of the
 * CPU time from the start of `sjp-agent` to its first answer. Node 20 has no such cache. `NODE_DISABLE_COMPILE_CACHE=1` turns the cache off.
 *
 * The cache is in the user's own folder. Node's default is the folder for temporary files, in which any user could put code that this process would
 * run.
 */
export function keepCompiledCode(): void {
  const { enableCompileCache } = module as typeof module & NewerModule;
  enableCompileCache?.(join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'sjp', 'compiled'));
}

/** A function that exists in Node 22.1 and newer, but not in the types of Node 20. */
interface NewerModule {
  readonly enableCompileCache?: (folder: string) => unknown;
}
