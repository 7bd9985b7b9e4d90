import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { createRandom, type Random, shortJson, type Step } from '@proto/testkit/steps';
import { stringify } from 'yaml';

import { type Case, type Level, LEVELS, type Side } from '../cases/case-schema.ts';
import { levelOfRequirement } from '../cases/suite.ts';
import { withoutRules } from '../results/baseline.ts';
import type { Failure } from '../results/result.ts';
import { keyOf, mainFailure, type RunSession, shrinkSession, type SimplifyStart } from './shrink-session.ts';
import { hasUnknownMembers } from './unknown-members.ts';

/** Which sessions are generated. */
export interface RandomSessions {
  /** The number of sessions. */
  readonly count: number;
  /** The seed. The same seed results in the same sessions, if the program declares the same features and, for an agent, the prompt map is the same. */
  readonly seed: number;
  /** Run only these sessions: their ids, such as `agent/random/seed-7-session-3`. Default: all. */
  readonly include?: readonly string[];
  /** The names of rules that the program is known to break. A session that breaks only these rules is not shrunk. Default: none. */
  readonly knownRules?: readonly string[];
}

export interface GeneratedSession extends Pick<Case, 'start' | 'steps'> {
  /** What the program must have declared. Default: nothing. */
  readonly needs?: Case['needs'];
  /** The requirement that the session as a whole tests. A step or a rule that fails names its own requirement. */
  readonly spec: string;
}

export function generateCases(
  side: Side,
  { count, seed, include }: RandomSessions,
  generate: (random: Random) => GeneratedSession,
): Case[] {
  const all = Array.from({ length: count }, (_, at) => ({ number: at + 1, id: idOfSession(side, seed, at + 1) }));
  return all.flatMap(({ number, id }) => {
    if (include?.includes(id) === false) return [];
    const { spec, needs = [], ...session } = generate(createRandom(Math.imul(seed, 1_000_003) + number));
    return {
      id,
      title: `Session ${number} of the seed ${seed} follows every rule.`,
      side,
      spec: [spec],
      level: 'must',
      needs,
      ...session,
    };
  });
}

/** The id of a generated session. The first session has the number 1. */
export function idOfSession(side: Side, seed: number, number: number): string {
  return `${side}/random/seed-${seed}-session-${number}`;
}

/** A generated session that has failed. */
export interface FailedSession {
  readonly entry: Case;
  readonly failures: readonly Failure[];
  /** Runs a shorter session in the same way. */
  readonly run: RunSession;
  readonly simpler: readonly SimplifyStart[];
}

export interface ShrunkFile {
  /** The path of a file that `--cases` runs. */
  readonly path: string;
  /** The requirements about the sent messages that cause the failure, for example about a message that must have no effect. */
  readonly causes: readonly Failure[];
  /** Whether the failure occurred again when the session was repeated. */
  readonly isRepeatable: boolean;
}

/** Of the sessions that break the same rule, only one is shrunk, because each takes up to 90 seconds. */
export class Shrinker {
  readonly #folder: string;
  readonly #shrunk = new Set<string>();
  readonly #knownRules: ReadonlySet<string>;

  /**
   * @param folder The folder for the shortest sessions. Default: the working directory.
   * @param knownRules The names of rules that the program is known to break.
   */
  constructor(folder = '.', knownRules: readonly string[] = []) {
    this.#folder = folder;
    this.#knownRules = new Set(knownRules);
  }

  /** Returns nothing if the session breaks only known rules, or if a session that breaks the same rule has been shrunk. */
  async shrink(failed: FailedSession): Promise<ShrunkFile | undefined> {
    const failures = withoutRules(failed.failures, this.#knownRules);
    if (failures.length === 0) return undefined;
    const key = keyOf(mainFailure(failures));
    if (this.#shrunk.has(key)) return undefined;
    this.#shrunk.add(key);
    const shrunk = await writeShrunk(this.#folder, { ...failed, failures });
    if (!shrunk.isRepeatable) this.#shrunk.delete(key);
    return shrunk;
  }
}

async function writeShrunk(folder: string, { entry, ...failed }: FailedSession): Promise<ShrunkFile> {
  const shrunk = await shrinkSession(entry, failed);
  const { spec, level, rule, message } = shrunk.failure;
  const path = join(folder, `${entry.id.replaceAll('/', '-')}.yaml`);
  const shown = {
    id: entry.id,
    title: rule === undefined ? `The session conforms to ${spec}.` : `The session follows the rule ${rule}.`,
    spec: [spec],
    ...(level === 'must' ? {} : { level }),
    start: shrunk.entry.start,
    steps: withoutWeaker(shrunk.entry.steps, level),
  };
  const repeats = shrunk.isRepeatable ? '' : '\n# The failure did not occur again when the session was repeated.';
  const text = `# ${spec}: ${message.replaceAll('\n', ' ')}${repeats}\n${stringify([shown], { aliasDuplicateObjects: false })}`;
  await writeFile(path, withVisibleControls(text));
  const { isRepeatable, isShortest } = shrunk;
  // A step that was not tried without may be needless. The causes are requirements of the level MUST, which a broken SHOULD does not concern.
  const areCauses = isRepeatable && isShortest && level === 'must';
  return { path, isRepeatable, causes: areCauses ? causesIn(shrunk.entry.steps) : [] };
}

/** `stringify` quotes texts with these characters, but writes the characters as they are. Other libraries refuse them, or take them for line ends. */
function withVisibleControls(yaml: string): string {
  return yaml.replace(/[\u007f-\u009f]/g, (character) => `\\x${character.charCodeAt(0).toString(16)}`);
}

/** The requirements that are named by steps that send something. */
function causesIn(steps: readonly Step[]): readonly Failure[] {
  return steps.flatMap((step) => {
    const { spec } = step;
    const verb = ['say', 'say-all', 'say-text', 'say-bytes', 'pieces', 'answer-newest', 'stop-reading', 'query'].find(
      (name) => step[name] !== undefined,
    );
    if (verb === undefined) return [];
    const named = [...(typeof spec === 'string' ? [spec] : []), ...(hasUnknownMembers(step) ? ['MSG-8'] : [])];
    const message = `The session fails only because of what the suite does here: ${verb} ${shortJson(step[verb])}`;
    return [...new Set(named)].map((each) => ({ spec: each, level: levelOfRequirement(each), message }));
  });
}

/** Removes the requirements that are below the level of the case, because a case whose steps name them cannot be compiled. */
export function withoutWeaker(steps: readonly Step[], level: Level): Step[] {
  return steps.map(({ spec, ...step }) => ({
    ...step,
    ...nestedWithoutWeaker(step, level),
    ...(typeof spec === 'string' && LEVELS.indexOf(levelOfRequirement(spec)) <= LEVELS.indexOf(level) ? { spec } : {}),
  }));
}

function nestedWithoutWeaker(step: Step, level: Level): Step {
  const lists = ['steps', 'at-once', 'meanwhile'].filter((name) => Array.isArray(step[name]));
  return Object.fromEntries(lists.map((name) => [name, withoutWeaker(step[name] as readonly Step[], level)]));
}
