import { readFileSync } from 'node:fs';

import { PACKAGE_FILES } from '../package-files.ts';
import type { Case, Level, Requirement, Side, Suite } from './case-schema.ts';

let read: Suite | undefined;

/** Returns the built-in cases, with the requirements that they cite. */
export function loadSuite(): Suite {
  read ??= JSON.parse(readFileSync(new URL('cases.json', PACKAGE_FILES), 'utf8')) as Suite;
  return read;
}

/** Returns the requirement with an id, or `undefined`. */
export function findRequirement(id: string): Requirement | undefined {
  return loadSuite().requirements.find((requirement) => requirement.id === id);
}

/**
 * Returns the cases of a side that a list of names selects. A name is an id, the beginning of an id up to a `/`, a pattern with `*`, or the id of a
 * requirement. An empty list selects all cases of the side.
 */
export function selectCases(side: Side, include: readonly string[] = []): Case[] {
  const cases = loadSuite().cases.filter((entry) => entry.side === side);
  return include.length === 0 ? cases : cases.filter((entry) => include.some((name) => isSelected(entry, name)));
}

export function isSelected({ id, spec }: Pick<Case, 'id' | 'spec'>, name: string): boolean {
  if (spec.includes(name)) return true;
  if (!name.includes('*')) return id === name || id.startsWith(`${name.replace(/\/$/, '')}/`);
  const pattern = name
    .split('*')
    .map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'))
    .join('.*');
  return new RegExp(`^${pattern}$`).test(id);
}

export function levelOfRequirement(id: string): Level {
  const level = findRequirement(id)?.level ?? 'MUST';
  if (level.startsWith('MUST')) return 'must';
  return level.startsWith('SHOULD') ? 'should' : 'may';
}
