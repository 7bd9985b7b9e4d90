import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { HeadlessEnvironment } from '@proto/headless';

/** The exports of a module that is an agent. */
export type AgentModule = Pick<HeadlessEnvironment, 'runTurn' | 'reads' | 'auth'>;

/**
 * Removes `--module FILE` from a command line and returns it. If the flag occurs several times, the last occurrence counts.
 *
 * @throws Error for a flag without a file.
 */
export function takeModuleFlag(argv: readonly string[]): { readonly file?: string; readonly rest: readonly string[] } {
  const rest: string[] = [];
  let file: string | undefined;
  for (let at = 0; at < argv.length; at++) {
    const word = argv[at] ?? '';
    if (word === '--') return { ...(file !== undefined && { file }), rest: [...rest, ...argv.slice(at)] };
    if (word === '--module') file = argv[++at] ?? '';
    else if (word.startsWith('--module=')) file = word.slice('--module='.length);
    else rest.push(word);
    if (file === '') throw new Error("option '--module <file>' argument missing");
  }
  return { ...(file !== undefined && { file }), rest };
}

/**
 * Loads the module of an agent, which exports its function as `runTurn` or as the default export. Rejects if the module cannot be loaded or does not
 * export the function.
 */
export async function loadAgentModule(file: string): Promise<AgentModule> {
  const path = resolve(file);
  const exported = await importFrom(path);
  const runTurn = exported['runTurn'] ?? exported['default'];
  if (typeof runTurn !== 'function') {
    throw new Error(`${path} is not an agent: it must export a function, as runTurn or as the default export`);
  }
  const { reads, auth } = exported as Partial<AgentModule>;
  return {
    ...(Array.isArray(reads) && { reads }),
    ...(typeof auth?.status === 'function' && { auth }),
    runTurn: runTurn as AgentModule['runTurn'],
  };
}

async function importFrom(path: string): Promise<Record<string, unknown>> {
  try {
    return await import(pathToFileURL(path).href);
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    const broken = error instanceof SyntaxError ? `not a JavaScript module: ${said}` : said;
    const reason = existsSync(path) ? broken : 'no such file';
    throw new Error(`cannot load ${path}: ${reason.replace(/\s*\n\s*/g, ' ')}`, { cause: error });
  }
}
