import type { Case } from '../../cases/case-schema.ts';
import { compareRuns } from '../../random/compare-runs.ts';
import type { Facts } from '../../random/facts.ts';
import type { RandomSessions } from '../../random/random-sessions.ts';
import type { Difference } from '../../results/result.ts';
import { ProgramNotStarted } from '../../run/test-options.ts';
import type { AgentOptions } from '../agent-under-test.ts';
import { Declared } from '../declared.ts';
import { type PromptMap, readPromptMap } from '../prompt-map.ts';
import { type AgentProfile, probeAgent } from '../probe-agent.ts';
import { type RunAgentCase, runAgentCase } from '../run-agent-case.ts';
import type { SessionLog } from '../session-log.ts';
import { factsOfAgent } from './agent-facts.ts';
import { generateSessions } from './generate-session.ts';

/** Compares a session that the agent under test has played with other runs. Returns `undefined` if the other agent cannot play the session. */
export type CompareAgents = (entry: Case, played: readonly SessionLog[]) => Promise<readonly Difference[] | undefined>;

/**
 * Prepares the comparison of generated sessions with another agent. `prompts` is the prompt map that the user has chosen; the other agent uses it only
 * if no built-in map matches its version.
 *
 * @throws {@link ProgramNotStarted} if the other agent does not answer `initialize`
 */
export async function compareAgents(
  other: AgentOptions,
  tested: RunAgentCase,
  { random, prompts }: { readonly random: RandomSessions; readonly prompts: string | undefined },
): Promise<CompareAgents> {
  const { timeoutScale } = tested;
  const probed = await probeAgent(other, { timeoutScale });
  if (!probed.answersInitialize)
    throw new ProgramNotStarted(`${other.command}, the other program, has not answered initialize.`);
  const profile: AgentProfile =
    probed.isGuessed && prompts !== undefined ? { ...probed, prompts: await readPromptMap(prompts) } : probed;
  const declared = new Declared(profile, other, timeoutScale);
  const sessions = generateSessions(random, sameNames(tested.profile.prompts, profile.prompts));
  const ofOther = new Map(sessions.map((entry) => [entry.id, entry]));
  // Different prompts need different tools.
  const isByTool = profile.promptMap === tested.profile.promptMap;
  return async (entry, played) => {
    const twin = ofOther.get(entry.id);
    const missing = await declared.missing(needsOf(entry));
    if (twin === undefined || missing !== undefined) return undefined;
    return compareRuns(
      factsOfAgent(played, isByTool),
      () => play(entry, tested, isByTool),
      () => play(twin, { ...tested, agent: other, profile }, isByTool),
    );
  };
}

/** The names determine what a generated session does. The values are what the other agent understands. */
function sameNames(tested: PromptMap, other: PromptMap): PromptMap {
  return Object.fromEntries(Object.entries(tested).map(([name, value]) => [name, other[name] ?? value]));
}

/** What a program must have to play the session: what the session declares, and the prompts in its steps. */
function needsOf({ needs, steps }: Case): readonly string[] {
  const prompts = JSON.stringify(steps).matchAll(/\$\{(prompt\.[\w-]+)\}/g);
  return [...new Set([...needs, ...[...prompts].map(([, need = '']) => need)])];
}

async function play(entry: Case, run: RunAgentCase, isByTool: boolean): Promise<Facts | undefined> {
  let facts: Facts | undefined;
  const onPlayed = (sessions: readonly SessionLog[]) => {
    facts = factsOfAgent(sessions, isByTool);
  };
  // A session that the suite cannot play is not compared.
  await runAgentCase(entry, { ...run, traceFolder: undefined, onPlayed }).catch(() => undefined);
  return facts;
}
