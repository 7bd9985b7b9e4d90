import { commonVerbs, isObject, unknownMatchers } from '@proto/testkit/steps';
import { parse } from 'yaml';

import { stepSchema } from './step-schemas.ts';
import { allSteps, requirementOf } from './cited.ts';
import { type Case, caseSchema, type Level, LEVELS, type Requirement, type Side, stepsOfSide } from './case-schema.ts';

export interface CaseFile {
  readonly side: Side;
  /**
   * The name of the file without its ending, which is the second part of each id in the file. Without a subject, as in users' files, ids may have any
   * second part.
   */
  readonly subject?: string;
  readonly text: string;
}

export interface Compiled {
  readonly cases: Case[];
  /** One sentence per problem. A suite with a problem is not built. */
  readonly problems: string[];
}

export function compileCases(files: readonly CaseFile[], requirements: readonly Requirement[]): Compiled {
  const known = new Map(requirements.map((requirement) => [requirement.id, requirement]));
  const compiled: Compiled = { cases: [], problems: [] };
  for (const file of files) {
    const place = file.subject === undefined ? 'the file' : `${file.side}/${file.subject}.yaml`;
    const list: unknown = parse(file.text) ?? [];
    if (!Array.isArray(list)) compiled.problems.push(`${place} is not a list of cases.`);
    else for (const [at, entry] of list.entries()) compileCase(entry, `${place} case ${at + 1}`, file, known, compiled);
  }
  const seen = new Set<string>();
  for (const { id } of compiled.cases) {
    if (seen.has(id)) compiled.problems.push(`Two cases have the id "${id}".`);
    seen.add(id);
  }
  return compiled;
}

function compileCase(
  entry: unknown,
  place: string,
  file: CaseFile,
  known: ReadonlyMap<string, Requirement>,
  { cases, problems }: Compiled,
): void {
  const parsed = caseSchema(file.side).safeParse(entry);
  const id = isObject(entry) && typeof entry['id'] === 'string' ? entry['id'] : place;
  if (!parsed.success) {
    problems.push(...stepProblems(entry, file.side).map((problem) => `${id}: ${problem}`));
    for (const { path, message } of parsed.error.issues)
      if (path[0] !== 'steps' || path.length < 2) problems.push(`${id}: ${path.join('.')}: ${message}`);
    return;
  }
  const data = parsed.data as Partial<Case> & Pick<Case, 'id' | 'title' | 'spec'>;
  if (file.subject !== undefined && data.id.split('/')[1] !== file.subject)
    problems.push(`${id} is in ${file.subject}.yaml, but its id belongs to another file.`);
  const spec = [...new Set([...data.spec, ...allSteps(data.steps ?? []).flatMap((step) => requirementOf(step) ?? [])])];
  for (const requirement of spec)
    if (!known.has(requirement)) problems.push(`${id} cites ${requirement}, which is not in the specification.`);
  if ((data.steps === undefined) === (data.generator === undefined))
    problems.push(`${id} needs either steps or a generator.`);
  const level = data.level ?? levelOf(spec, known);
  problems.push(...weakSteps(data, level, known).map((problem) => `${id}: ${problem}`));
  for (const matcher of (data.steps ?? []).flatMap(patternsOf).flatMap(unknownMatchers))
    problems.push(`${id}: unknown matcher "${matcher}".`);
  cases.push({
    needs: [],
    start: {},
    steps: [],
    ...data,
    side: file.side,
    spec,
    level,
  });
}

/** Finds steps whose failure would name a requirement that is weaker than the level of the case, such as a SHOULD in a case with level `must`. */
function weakSteps(
  { spec, steps = [] }: Partial<Case>,
  level: Level,
  known: ReadonlyMap<string, Requirement>,
): string[] {
  const main = spec?.[0] ?? '';
  const own = [...new Set(allSteps(steps).flatMap((step) => requirementOf(step) ?? []))];
  return [main, ...own]
    .filter((id) => known.has(id) && LEVELS.indexOf(levelOf([id], known)) > LEVELS.indexOf(level))
    .map(
      (id) =>
        `its level is ${level}, and ${id === main ? 'its main requirement' : 'a step'} is ${id}, which is weaker.`,
    );
}

function stepProblems(entry: unknown, side: Side): string[] {
  const steps = (entry as { steps?: unknown } | null)?.steps;
  if (!Array.isArray(steps)) return [];
  return steps.flatMap((step: unknown, at) => {
    const verbs = Object.keys(step ?? {}).filter((name) => Object.hasOwn(stepsOfSide[side], name));
    const fields = stepsOfSide[side][verbs[0] ?? ''];
    if (fields === undefined) return [`step ${at + 1} has no verb of this side: ${JSON.stringify(step)}`];
    const parsed = stepSchema(fields).safeParse(step);
    return parsed.success
      ? []
      : parsed.error.issues.map(({ path, message }) => `step ${at + 1} (${verbs[0]}) ${path.join('.')}: ${message}`);
  });
}

/** Values that the suite sends are left out, because they may contain names that begin with `$`. */
function patternsOf(step: Readonly<Record<string, unknown>>): unknown[] {
  const isSent =
    ['say', 'say-text', 'prompt', 'request', 'answer', 'serve'].some((verb) => verb in step && verb in commonVerbs) ||
    ['call', 'answer-question', 'answer-questions'].some((verb) => verb in step);
  return isSent
    ? []
    : Object.entries(step).flatMap(([name, value]) =>
        name.startsWith('expect') || name === 'until' || name === 'with' || name === 'error' ? [value] : [],
      );
}

function levelOf(spec: readonly string[], known: ReadonlyMap<string, Requirement>): Level {
  const levels = spec.map((id) => known.get(id)?.level ?? '');
  if (levels.some((level) => level.startsWith('MUST'))) return 'must';
  return levels.some((level) => level.startsWith('SHOULD')) ? 'should' : 'may';
}
