import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { stringify } from 'yaml';

import type { Case } from '../../cases/case-schema.ts';
import type { Failure } from '../../results/result.ts';
import type { PromptMap } from '../prompt-map.ts';
import { generateSession } from './generate-session.ts';
import { type RunSession, shrinkSession } from './shrink-session.ts';

/** Which sessions are generated. */
export interface RandomSessions {
  /** The number of sessions. */
  readonly count: number;
  /** The seed. The same seed and prompt map result in the same sessions. */
  readonly seed: number;
}

/** The cases for a number of generated sessions. */
export function generateSessions({ count, seed }: RandomSessions, prompts: PromptMap): Case[] {
  return Array.from({ length: count }, (_, at) => generateSession(seed, at + 1, prompts));
}

/** Shrinks a session that has failed, and writes the shortest one to a file that `--cases` runs. Returns the path. */
export async function writeShrunk(
  folder: string,
  entry: Case,
  failures: readonly Failure[],
  run: RunSession,
): Promise<string> {
  const shrunk = await shrinkSession(entry, failures, run);
  const { spec, level, rule, message } = shrunk.failure;
  const path = join(folder, `${entry.id.replaceAll('/', '-')}.yaml`);
  const shown = {
    id: entry.id,
    title: rule === undefined ? `The session keeps ${spec}.` : `The session keeps the rule ${rule}.`,
    spec: [spec],
    ...(level === 'must' ? {} : { level }),
    start: shrunk.entry.start,
    steps: shrunk.entry.steps,
  };
  const repeats = shrunk.isRepeatable ? '' : '\n# The failure did not occur again when the session was repeated.';
  await writeFile(
    path,
    `# ${spec}: ${message.replaceAll('\n', ' ')}${repeats}\n${stringify([shown], { aliasDuplicateObjects: false })}`,
  );
  return path;
}
