import type { Case } from '../cases/case-schema.ts';
import { Shrinker } from '../random/random-sessions.ts';
import type { CaseResult, Failure } from '../results/result.ts';
import { defaultJobs, MOST_FAILED_SESSIONS, runCases } from '../run/run-cases.ts';
import type { TestOptions } from '../run/test-options.ts';
import type { AgentOptions } from './agent-under-test.ts';
import { Declared } from './declared.ts';
import { type AgentProfile, probeAgent } from './probe-agent.ts';
import { type CompareAgents, compareAgents } from './random/compare-agents.ts';
import { generateSessions, isPlayable, SIMPLER_STARTS } from './random/generate-session.ts';
import { type AgentOutcome, type RunAgentCase, runAgentCase } from './run-agent-case.ts';
import type { SessionLog } from './session-log.ts';
import { Trials } from './trial.ts';

/** The agent to test, and its prompts. */
export interface TestAgentOptions extends TestOptions {
  /** The program, and arguments that precede the suite's arguments. */
  readonly agent: AgentOptions;
  /** The name of a built-in prompt map (`sjp-agent`, `fixture`, `model`) or a JSON file. Default: the map that matches the output of `-v`. */
  readonly prompts?: string;
  /**
   * Another agent, with which generated sessions are compared. Each session runs two or three times on each agent, and the results contain what the agents did
   * differently. A difference does not change a verdict.
   */
  readonly compareWith?: AgentOptions;
  /** Called before the first case, with the name or file of the prompt map in use, and the agent's output for `-v`. */
  readonly onPrompts?: (promptMap: string, version: string) => void;
  /** Called before the first case if the agent is slow and `timeoutScale` is absent, with the factor that the suite uses for the time limits. */
  readonly onSlow?: (timeoutScale: number, answerMs: number) => void;
}

// An agent that did not answer a prompt within the time limit of a step will not answer in a case either, so the cases give up sooner.
const SILENT_SCALE = 0.1;

// A program that takes this long when it runs alone would take much longer while other cases run, and would answer too late.
const SLOW_START_MS = 1000;
const SLOW_START_JOBS = 2;

// An agent that takes this long when it runs alone would exceed the time limits of 10 seconds while other cases run.
const SLOW_ANSWER_MS = 5000;
const SLOW_SCALE = 3;

const SILENT: Failure = {
  spec: 'CTL-3',
  level: 'must',
  message: 'The case was not run, because the agent did not answer initialize before the first case.',
};

/**
 * Tests an agent: starts it for each case, and drives it as a host.
 *
 * @returns the results in the order of the cases.
 * @throws `ProgramNotStarted` if an agent cannot be started, or exits before it answers anything.
 * @throws `PromptMapError` if the prompt map cannot be read.
 */
export async function testAgent(options: TestAgentOptions): Promise<CaseResult[]> {
  const { agent, prompts, random, compareWith, onResult, traceFolder, signal = new AbortController().signal } = options;
  const profile = await probeAgent(agent, { prompts, timeoutScale: options.timeoutScale });
  options.onPrompts?.(profile.promptMap, profile.version);
  const timeoutScale = timeoutScaleFor(profile, options);
  const { jobs = profile.startMs > SLOW_START_MS ? SLOW_START_JOBS : defaultJobs() } = options;
  const cases = random === undefined ? options.cases : generateSessions(random, profile.prompts);
  const declared = new Declared(profile, agent, timeoutScale);
  const trials = new Trials(profile, agent, timeoutScale);
  const shrinker = new Shrinker(traceFolder, random?.knownRules);
  const run: RunAgentCase = { agent, profile, timeoutScale, traceFolder, signal };
  const compare = random && compareWith && (await compareAgents(compareWith, run, { random, prompts }));
  return runCases({
    cases,
    signal,
    jobs,
    ...(random === undefined ? {} : { mostFailed: MOST_FAILED_SESSIONS, knownRules: random.knownRules ?? [] }),
    ...(onResult === undefined ? {} : { onResult }),
    runCase: async (entry) => {
      const reason = await declared.missing(entry.needs);
      if (reason !== undefined) return { verdict: 'not-declared', failures: [], reason };
      if (!profile.answersInitialize && beginsWithInitialize(entry))
        return { verdict: 'failed', failures: [SILENT, ...profile.failures] };
      const outcome = await runCompared(entry, { ...run, trials }, compare);
      return random === undefined || outcome.failures.length === 0
        ? outcome
        : withShrunk(shrinker, entry, outcome, run);
    },
  });
}

/** Returns the factor for the time limits: the user's factor, or a larger factor for a slow agent, and a small factor for a silent agent. */
function timeoutScaleFor(profile: AgentProfile, { timeoutScale, onSlow }: TestAgentOptions): number {
  if (!profile.answersInitialize || !profile.answersPrompts) return (timeoutScale ?? 1) * SILENT_SCALE;
  const answerMs = Math.max(profile.startMs, profile.turnMs);
  if (timeoutScale !== undefined || answerMs < SLOW_ANSWER_MS) return timeoutScale ?? 1;
  onSlow?.(SLOW_SCALE, answerMs);
  return SLOW_SCALE;
}

async function runCompared(entry: Case, run: RunAgentCase, compare: CompareAgents | undefined): Promise<AgentOutcome> {
  let played: readonly SessionLog[] | undefined;
  const onPlayed = (processes: readonly SessionLog[]) => {
    played = processes;
  };
  const outcome = await runAgentCase(entry, { ...run, onPlayed });
  const differences = played && (await compare?.(entry, played));
  return differences === undefined ? outcome : { ...outcome, differences };
}

async function withShrunk(
  shrinker: Shrinker,
  entry: Case,
  outcome: AgentOutcome,
  run: RunAgentCase,
): Promise<AgentOutcome> {
  const shrunk = await shrinker.shrink({
    entry,
    failures: outcome.failures,
    run: async (shorter) =>
      isPlayable(shorter) ? (await runAgentCase(shorter, { ...run, traceFolder: undefined })).failures : [],
    simpler: SIMPLER_STARTS,
  });
  if (shrunk === undefined) return outcome;
  return { ...outcome, failures: [...shrunk.causes, ...outcome.failures], shrunk: shrunk.path };
}

function beginsWithInitialize({ start }: Case): boolean {
  return start['initialize'] !== false && start['process'] !== false;
}
