import { parseJson } from '@proto/core/framing';
import { readFile } from 'node:fs/promises';

import { isObject } from '@proto/testkit/steps';

import { PACKAGE_FILES } from '../package-files.ts';

/** The prompts that make an agent do something, by name, and facts about these prompts. */
export type PromptMap = Readonly<Record<string, unknown>>;

export const PROMPT_MAPS = ['sjp-agent', 'fixture', 'model'] as const;

/** Thrown if a prompt map cannot be read. */
export class PromptMapError extends Error {
  /** Always `PromptMapError`, for programs that cannot use `instanceof`. */
  override readonly name = 'PromptMapError';
}

/**
 * A built-in map by its name, or a JSON file.
 *
 * @throws {@link PromptMapError} if the file cannot be read, or is not a JSON object with a `text`
 */
export async function readPromptMap(nameOrFile: string): Promise<PromptMap> {
  const isBuiltIn = PROMPT_MAPS.some((name) => name === nameOrFile);
  const file = isBuiltIn ? new URL(`prompts/${nameOrFile}.json`, PACKAGE_FILES) : nameOrFile;
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new PromptMapError(`The prompt map "${nameOrFile}" cannot be read: ${error.message}`);
  });
  const value = parse(text);
  if (!isObject(value)) throw new PromptMapError(`The prompt map "${nameOrFile}" is not a JSON object.`);
  if (typeof value['text'] !== 'string')
    throw new PromptMapError(`The prompt map "${nameOrFile}" has no entry "text".`);
  return value;
}

/** `version` is the line that the agent prints for `-v`. For an unknown agent, the result is the map for agents with a model. */
export function mapNameFor(version: string): (typeof PROMPT_MAPS)[number] {
  if (version.includes('(sjp-agent)')) return 'sjp-agent';
  return version.includes('fixture') ? 'fixture' : 'model';
}

function parse(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
