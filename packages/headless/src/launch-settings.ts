import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { HeadlessOptions, JsonObject } from './options.ts';

/** The options with the settings of the command line in place of the path of their file. Rejects for a file that holds none. */
export async function withSettings(options: HeadlessOptions, cwd: string): Promise<HeadlessOptions> {
  const { settings } = options;
  return typeof settings === 'string' ? { ...options, settings: await settingsIn(resolve(cwd, settings)) } : options;
}

async function settingsIn(path: string): Promise<JsonObject> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Error(`--settings: the file cannot be read: ${path} (${error.code})`);
  });
  const value = parsed(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Error(`--settings: the file holds no JSON object: ${path}`);
  }
  return value as JsonObject;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
