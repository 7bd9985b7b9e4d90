import { stringify } from 'yaml';

import { SIDES } from '../cases/case-schema.ts';
import { findRequirement, loadSuite, selectCases } from '../cases/suite.ts';
import type { CommandIo } from './io.ts';

/** Writes the cases, one per line, or with `json` one object per line. */
export function listCases(
  include: readonly string[],
  { json = false }: { readonly json?: boolean },
  io: CommandIo,
): number {
  const cases = SIDES.flatMap((side) => selectCases(side, include));
  if (cases.length === 0) {
    io.stderr.write(`sjp conformance: no case matches "${include.join('", "')}".\n`);
    return 2;
  }
  for (const entry of cases) {
    const { id, level, spec, title } = entry;
    io.stdout.write(
      json ? `${JSON.stringify(entry)}\n` : `${level.padEnd(6)} ${id}  ${spec.join(' ')}\n         ${title}\n`,
    );
  }
  if (!json) io.stdout.write(`${cases.length} cases, specification ${loadSuite().spec}\n`);
  return 0;
}

/** Writes what a case does: its title, its requirements in full, and its steps. */
export function explainCase(id: string, io: CommandIo): number {
  const entry = loadSuite().cases.find((candidate) => candidate.id === id);
  if (entry === undefined) {
    const near = loadSuite()
      .cases.filter((candidate) => candidate.id.includes(id))
      .slice(0, 5);
    const hint =
      near.length === 0
        ? '"sjp conformance list" shows the cases.'
        : `Similar cases: ${near.map((candidate) => candidate.id).join(', ')}.`;
    io.stderr.write(`sjp conformance: unknown case "${id}". ${hint}\n`);
    return 2;
  }
  const requirements = entry.spec.map((spec) => {
    const requirement = findRequirement(spec);
    return `  ${spec} (${requirement?.section}, ${requirement?.title}): ${requirement?.text}`;
  });
  const how =
    entry.generator === undefined
      ? { start: entry.start, steps: entry.steps }
      : { start: entry.start, generator: entry.generator, seed: entry.seed };
  const needs = entry.needs.length === 0 ? '' : `\nNeeds: ${entry.needs.join(', ')}`;
  io.stdout.write(
    `${entry.id} (${entry.level})\n${entry.title}\n\nRequirements:\n${requirements.join('\n')}${needs}\n\n${stringify(how)}`,
  );
  return 0;
}
