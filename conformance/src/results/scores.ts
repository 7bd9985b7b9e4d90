import type { Case } from '../cases/case-schema.ts';
import { type Profile, PROFILES, profileOf } from '../cases/profiles.ts';
import type { CaseResult, Report } from './result.ts';

type MustCases = Report['must'];

/** The results of a run, before and after the list of expected failures was applied. The lists have the same order. */
export interface ScoredResults {
  readonly raw: readonly CaseResult[];
  readonly marked: readonly CaseResult[];
}

/** Returns which part of a side's cases was run, and the scores of this part and of the profiles in it. */
export function scoresOf(
  { raw, marked }: ScoredResults,
  cases: readonly Case[],
): Pick<Report, 'scope' | 'must' | 'profiles' | 'score'> {
  const ran = new Set(marked.map(({ id }) => id));
  const all = PROFILES.map((profile) => ({
    profile,
    ids: new Set(cases.flatMap((entry) => (profileOf(entry) === profile ? [entry.id] : []))),
  })).filter(({ ids }) => ids.size > 0);
  const whole = all.filter(({ ids }) => [...ids].every((id) => ran.has(id)));
  const scope = scopeOf(ran, all, whole);
  const must = mustOf(marked);
  return {
    scope,
    must,
    profiles: whole.map(({ profile, ids }) =>
      profileScore(profile, {
        raw: raw.filter(({ id }) => ids.has(id)),
        marked: marked.filter(({ id }) => ids.has(id)),
      }),
    ),
    ...(scope === 'part' || must.applied === 0 ? {} : { score: scoreOf(must, raw) }),
  };
}

interface CasesOfProfile {
  readonly profile: Profile;
  readonly ids: ReadonlySet<string>;
}

function scopeOf(
  ran: ReadonlySet<string>,
  all: readonly CasesOfProfile[],
  whole: readonly CasesOfProfile[],
): Report['scope'] {
  if (all.length === whole.length) return 'suite';
  const [only] = whole.filter(({ ids }) => ids.size === ran.size);
  return only?.profile ?? 'part';
}

function profileScore(profile: Profile, { raw, marked }: ScoredResults): Report['profiles'][number] {
  const must = mustOf(marked);
  return { profile, must, ...(must.applied * 2 < must.all ? {} : { score: scoreOf(must, raw) }) };
}

function mustOf(results: readonly CaseResult[]): MustCases {
  const must = results.filter(({ level }) => level === 'must');
  const applied = must.filter(({ verdict }) => verdict !== 'not-declared');
  const passed = applied.filter(({ verdict }) => verdict === 'passed' || verdict === 'warned');
  return { passed: passed.length, applied: applied.length, all: must.length };
}

function scoreOf({ passed, applied }: MustCases, raw: readonly CaseResult[]): number {
  const hasFailure = raw.some(({ verdict }) => verdict === 'failed' || verdict === 'error');
  return Math.min(hasFailure ? 99 : 100, Math.floor((passed / applied) * 100));
}
