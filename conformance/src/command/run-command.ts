import { writeFile } from 'node:fs/promises';

import { YAMLParseError } from 'yaml';

import { PromptMapError } from '../agent/prompt-map.ts';
import type { Case, Side } from '../cases/case-schema.ts';
import { compileCases } from '../cases/compile-cases.ts';
import { profileOf, profilesOfSide } from '../cases/profiles.ts';
import { isSelected, loadSuite, selectCases } from '../cases/suite.ts';
import { idOfSession, type RandomSessions } from '../random/random-sessions.ts';
import { parseReporter, type ReporterChoice } from '../reporters/reporter.ts';
import { resultLines } from '../reporters/text.ts';
import { MOST_FAILED_SESSIONS } from '../run/run-cases.ts';
import { BaselineError, type ExpectedFailure, markExpected, parseBaseline } from '../results/baseline.ts';
import { createReport, exitCodeOf } from '../results/report.ts';
import type { CaseResult } from '../results/result.ts';
import { ProgramNotStarted, type TestOptions } from '../run/test-options.ts';
import { ServerProfileError } from '../server/server-profile.ts';
import type { CommandIo } from './io.ts';
import { readOption, UsageError } from './usage-error.ts';

/** The options that all sides of `sjp conformance` have, as the command line names them. */
export interface CommandOptions {
  /** The cases to run: ids, beginnings of ids, patterns with `*`, or requirements. For generated sessions: their ids. Default: all. */
  readonly include?: readonly string[];
  /** The profile whose cases are run, such as `core`. Default: the cases of all profiles. */
  readonly profile?: string;
  /** A case file to run instead of the suite. */
  readonly cases?: string;
  /** The number of generated sessions to run instead of the cases. */
  readonly random?: number;
  /** The seed of the generated sessions. Default 1. */
  readonly seed?: number;
  /**
   * The command line of another agent or host, whose words are separated by blanks, or the path of a program. Each generated session also runs on this
   * program, and the reports show what the program under test does differently. No difference is a failure. Only with `random`, and not for a server.
   */
  readonly compareWith?: string;
  /** The version of the specification against which the program is tested. */
  readonly spec?: string;
  /** A file that lists the cases that are known to fail. */
  readonly expectedFailures?: string;
  /** Whether a warning makes the run fail. Default false. */
  readonly strict?: boolean;
  /** The reporters, each as `NAME` or `NAME=FILE`. Default `text`. */
  readonly reporter?: readonly string[];
  /** The folder in which a recording of each case is written. Default: no recordings. */
  readonly trace?: string;
  /**
   * How many cases run at a time. Default: 6 for hosts, 2 for an agent that starts slowly, and otherwise four per processor, but at least 4 and at
   * most 8.
   */
  readonly jobs?: number;
  /** The factor by which every time limit is multiplied. Default 1. */
  readonly timeoutScale?: number;
  /** If this signal aborts, the started programs are ended, and the call rejects with the reason of the signal. */
  readonly signal?: AbortSignal;
}

const USAGE_ERRORS = [UsageError, BaselineError, ServerProfileError, PromptMapError];

const EXIT_CODES = { conforms: 0, suiteError: 1, usage: 2, notStarted: 4, failures: 6 } as const;

/**
 * Runs the cases of a side, writes the reports, and returns the exit code. Writes a line for each case that ends, unless a
 * reporter uses the standard output. `onNote` writes a sentence about the program to the standard error and into the reports.
 */
export async function runConformance(
  side: Side,
  program: string,
  options: CommandOptions,
  io: CommandIo,
  test: (options: TestOptions, onNote: (note: string) => void) => Promise<CaseResult[]>,
): Promise<number> {
  try {
    const plan = await planOf(side, options);
    if (plan.test.random !== undefined) io.stderr.write(announcement(plan.test.random));
    const started = performance.now();
    const shown = new Set<string>();
    const notes: string[] = [];
    const onNote = (note: string) => {
      notes.push(note);
      io.stderr.write(`${note}\n`);
    };
    const results = await test(
      {
        ...plan.test,
        ...(plan.showsLines
          ? { onResult: (result) => io.stdout.write(resultLines(markExpected(result, plan.expected), shown)) }
          : {}),
      },
      onNote,
    );
    const ms = performance.now() - started;
    const { include, count = 0 } = plan.test.random ?? {};
    const left = (include === undefined ? count : new Set(include).size) - results.length;
    if (left > 0)
      onNote(
        `The suite has ended, because ${MOST_FAILED_SESSIONS} sessions failed. The other ${left} sessions did not run.`,
      );
    const report = createReport(
      { program, side, ms, results, notes, comparedWith: options.compareWith },
      plan.expected,
    );
    for (const { reporter, file } of plan.reporters) {
      if (file === undefined) io.stdout.write(reporter(report));
      else await writeFile(file, reporter(report));
    }
    return exitCodeOf(report, options.strict);
  } catch (error) {
    if (options.signal?.aborted === true) throw error;
    io.stderr.write(`sjp conformance: ${error instanceof Error ? error.message : String(error)}\n`);
    if (USAGE_ERRORS.some((usage) => error instanceof usage)) return EXIT_CODES.usage;
    return error instanceof ProgramNotStarted ? EXIT_CODES.notStarted : EXIT_CODES.suiteError;
  }
}

function announcement({ count, seed }: RandomSessions): string {
  return `The suite runs ${count} generated sessions. To run the same sessions again, give --seed ${seed}.\n`;
}

interface Plan {
  readonly reporters: readonly ReporterChoice[];
  readonly expected: readonly ExpectedFailure[];
  readonly test: TestOptions;
  /** Whether to write the result of each case when the case ends. */
  readonly showsLines: boolean;
}

async function planOf(side: Side, options: CommandOptions): Promise<Plan> {
  const { spec } = loadSuite();
  if (options.spec !== undefined && options.spec !== spec && `${options.spec}-draft` !== spec) {
    throw new UsageError(`This suite tests version ${spec} of the specification, not ${options.spec}.`);
  }
  const reporters = (options.reporter ?? ['text']).map((text) => {
    const choice = parseReporter(text);
    if (choice === undefined)
      throw new UsageError(`Unknown reporter "${text}". Use text, json, markdown, github, junit=FILE or badge=FILE.`);
    return choice;
  });
  checkComparison(side, options);
  const expected = await expectedOf(options.expectedFailures);
  const knownRules = expected.flatMap((entry) => ('rule' in entry ? [entry.rule] : []));
  const random = sessionsOf(side, options, knownRules);
  const include = random === undefined ? options.include : undefined;
  const cases = casesOf(side, ofProfile(side, await casesToRun(side, options.cases), options.profile), include);
  const { jobs, timeoutScale, trace, signal } = options;
  const test: TestOptions = {
    cases,
    ...(random === undefined ? {} : { random }),
    ...(jobs === undefined ? {} : { jobs }),
    ...(timeoutScale === undefined ? {} : { timeoutScale }),
    ...(trace === undefined ? {} : { traceFolder: trace }),
    ...(signal === undefined ? {} : { signal }),
  };
  const showsLines = reporters.every(({ name, file }) => name === 'text' || file !== undefined);
  return { reporters, expected, test, showsLines };
}

function checkComparison(side: Side, { compareWith, random }: CommandOptions): void {
  if (compareWith === undefined) return;
  if (side === 'server')
    throw new UsageError('The sessions of a server cannot be compared with another server: remove --compare-with.');
  if (random === undefined)
    throw new UsageError('--compare-with compares generated sessions: give their number with --random.');
  if (compareWith.trim() === '') throw new UsageError('The value of --compare-with is empty: give a command line.');
}

function sessionsOf(
  side: Side,
  { random: count, seed = 1, include }: CommandOptions,
  knownRules: readonly string[],
): RandomSessions | undefined {
  if (count === undefined) return undefined;
  const ids = new Set(Array.from({ length: count }, (_, at) => idOfSession(side, seed, at + 1)));
  const unknown = include?.find((id) => !ids.has(id));
  if (unknown !== undefined)
    throw new UsageError(
      `"${unknown}" is not one of the ${count} generated sessions. Their ids are ${idOfSession(side, seed, 1)} and so on.`,
    );
  return { count, seed, knownRules, ...(include === undefined ? {} : { include }) };
}

async function casesToRun(side: Side, file: string | undefined): Promise<readonly Case[]> {
  if (file === undefined) return selectCases(side);
  const text = await readOption('The case file', file);
  try {
    const { cases, problems } = compileCases([{ side, text }], loadSuite().requirements);
    if (problems.length === 0 && cases.length > 0) return cases;
    if (problems.length > 0)
      throw new UsageError(`${file} is not a valid case file for ${side}s: ${problems.join(' ')}`);
    throw new UsageError(`${file} contains no cases for ${side}s.`);
  } catch (error) {
    if (error instanceof YAMLParseError)
      throw new UsageError(`${file} is not YAML: ${error.message}`, { cause: error });
    throw error;
  }
}

function ofProfile(side: Side, cases: readonly Case[], name: string | undefined): readonly Case[] {
  const profiles = profilesOfSide(side);
  if (name !== undefined && !profiles.some((profile) => profile === name))
    throw new UsageError(`"${name}" is not a profile of the side "${side}". Use ${profiles.join(', ')}.`);
  return name === undefined ? cases : cases.filter((entry) => profileOf(entry) === name);
}

function casesOf(side: Side, cases: readonly Case[], include: readonly string[] = []): Case[] {
  const nothing = include.find((name) => !cases.some((entry) => isSelected(entry, name)));
  if (nothing !== undefined)
    throw new UsageError(
      `"${nothing}" selects no cases for the side "${side}". "sjp conformance list" shows the cases.`,
    );
  return cases.filter((entry) => include.length === 0 || include.some((name) => isSelected(entry, name)));
}

async function expectedOf(file: string | undefined): Promise<ExpectedFailure[]> {
  if (file === undefined) return [];
  return parseBaseline(await readOption('The list of expected failures', file));
}
