import { stringify } from 'yaml';

import { type Case, SIDES } from '../cases/case-schema.ts';
import { profileOf } from '../cases/profiles.ts';
import { findRequirement, isSelected, loadSuite, selectCases } from '../cases/suite.ts';
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
      json
        ? `${JSON.stringify({ ...entry, profile: profileOf(entry) })}\n`
        : `${level.padEnd(6)} ${id}  ${spec.join(' ')}\n         ${title}\n`,
    );
  }
  if (!json) io.stdout.write(`${cases.length} cases, specification ${loadSuite().spec}\n`);
  return 0;
}

/**
 * Writes what cases do: their titles, their requirements in full, and their steps. The names select cases as in {@link listCases}. Between two cases,
 * there is a line of dashes.
 */
export function explainCases(names: readonly string[], io: CommandIo): number {
  const { cases } = loadSuite();
  const unknown = names.find((name) => !cases.some((entry) => isSelected(entry, name)));
  if (unknown !== undefined) {
    const near = cases.filter(({ id }) => id.includes(unknown)).slice(0, 5);
    const hint =
      near.length === 0
        ? '"sjp conformance list" shows the cases.'
        : `Similar cases: ${near.map(({ id }) => id).join(', ')}.`;
    io.stderr.write(`sjp conformance: no case matches "${unknown}". ${hint}\n`);
    return 2;
  }
  const selected = cases.filter((entry) => names.some((name) => isSelected(entry, name)));
  io.stdout.write(selected.map(explanation).join(`\n${'-'.repeat(80)}\n\n`));
  return 0;
}

function explanation(entry: Case): string {
  const requirements = entry.spec.map((spec) => {
    const requirement = findRequirement(spec);
    return `  ${spec} (${requirement?.section}, ${requirement?.title}): ${requirement?.text}`;
  });
  const how =
    entry.generator === undefined
      ? { start: entry.start, steps: entry.steps }
      : { start: entry.start, generator: entry.generator, seed: entry.seed };
  const needs = entry.needs.length === 0 ? '' : `\nNeeds: ${entry.needs.join(', ')}`;
  return `${entry.id} (${entry.level}, profile ${profileOf(entry)})\n${entry.title}\n\nRequirements:\n${requirements.join('\n')}${needs}\n\n${stringify(how)}`;
}
