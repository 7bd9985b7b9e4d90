import { onceFor } from '../../../once-for.ts';
import { type Call, callsOf, saidTo, type Settled } from '../calls.ts';
import { listOf, member, type Session } from '../../session-log.ts';
import { timelineOf } from '../timeline.ts';
import { endsTurn } from '../control/request-rules.ts';

type Behavior = 'allow' | 'deny' | 'ask';

/** What the rules that a host has set with its answers say about the calls of a tool. */
export interface RulesOfTool {
  readonly behaviors: ReadonlySet<Behavior>;
  /** Whether the rules are uncertain, because one of them has a pattern, an answer may not have counted, or a rule was removed for another destination. */
  readonly isUncertain: boolean;
}

/**
 * Returns the rules for a call's tool at the time of the call, as set by `updatedPermissions` of earlier answers. Only rules without a pattern are
 * followed. A rule with a pattern makes the rules of its tool uncertain.
 */
export function rulesFor(session: Session, call: Call): RulesOfTool {
  const behaviors = new Map<string, Set<Behavior>>();
  let isUncertain = false;
  for (const { updates, answeredAt, counts } of changesOf(session)) {
    // An answer that arrives while the call is being decided may come before the decision or after it.
    const mayCross = answeredAt > call.at && answeredAt < (call.resultAt ?? Infinity);
    if (answeredAt > call.at && !mayCross) continue;
    const isSure = !mayCross && counts && updates.every(hasKnownDestination);
    if (updates.some((update) => (isSure ? hasPattern(update, call.name) : concerns(update, call.name))))
      isUncertain = true;
    for (const update of updates) {
      if (mayRemoveElsewhere(update, call.name, behaviors)) isUncertain = true;
      apply(update, call.name, behaviors);
    }
  }
  return { behaviors: new Set([...behaviors.values()].flatMap((set) => [...set])), isUncertain };
}

interface Change {
  readonly updates: readonly unknown[];
  readonly answeredAt: number;
  /** Whether the agent has certainly acted on the answer. */
  readonly counts: boolean;
}

const changesOf: (session: Session) => readonly Change[] = onceFor((session) =>
  callsOf(session).flatMap(({ question }) => {
    const answer = member(question?.answer, 'response', 'response');
    const updates = listOf(member(answer, 'updatedPermissions'));
    if (updates.length === 0 || question?.answeredAt === undefined || isLate(question)) return [];
    const { answeredAt } = question;
    // According to the specification, only approvals contain updates. An agent may ignore updates in a denial.
    const isApproval = member(answer, 'behavior') === 'allow' && saidTo(question) !== undefined;
    return [{ updates, answeredAt, counts: isApproval && !mayBeCut(session, answeredAt) }];
  }),
);

/** Whether a question was answered after the agent had withdrawn it. The agent must ignore such an answer. */
function isLate({ cancelledAt = Infinity, answeredAt = -Infinity }: Settled): boolean {
  return cancelledAt < answeredAt;
}

/** Whether the host has approved an earlier call of the tool too late, with new rules. */
export function hasLateRules(session: Session, call: Call): boolean {
  return callsOf(session).some(
    ({ question, name }) =>
      name === call.name &&
      question !== undefined &&
      isLate(question) &&
      (question.answeredAt ?? Infinity) < call.at &&
      listOf(member(question.answer, 'response', 'response', 'updatedPermissions')).length > 0,
  );
}

function apply(update: unknown, tool: string, rules: Map<string, Set<Behavior>>): void {
  const { type, behavior, destination } = Object(update) as Readonly<Record<string, unknown>>;
  const place = String(destination);
  const set = rules.get(place) ?? new Set();
  rules.set(place, set);
  const isNamed = namesTool(update, tool);
  if (type === 'replaceRules') set.delete(behavior as Behavior);
  if (isNamed && (type === 'addRules' || type === 'replaceRules')) set.add(behavior as Behavior);
  if (isNamed && type === 'removeRules') set.delete(behavior as Behavior);
}

/** Whether an update removes a rule that another destination has too. Claude Code 2.1.332 then removes the rule from both. */
function mayRemoveElsewhere(update: unknown, tool: string, rules: ReadonlyMap<string, ReadonlySet<Behavior>>): boolean {
  const { type, behavior, destination } = Object(update) as Readonly<Record<string, unknown>>;
  const others = [...rules].filter(([place]) => place !== String(destination));
  return type === 'removeRules' && namesTool(update, tool) && others.some(([, set]) => set.has(behavior as Behavior));
}

/** The pattern of a rule for all calls of the tool is null. */
function patternsOf(update: unknown, tool: string): readonly unknown[] {
  const rules = listOf(member(update, 'rules')).filter((rule) => member(rule, 'toolName') === tool);
  return rules.map((rule) => member(rule, 'ruleContent') ?? null);
}

function namesTool(update: unknown, tool: string): boolean {
  return patternsOf(update, tool).includes(null);
}

function hasPattern(update: unknown, tool: string): boolean {
  return patternsOf(update, tool).some((pattern) => pattern !== null);
}

const DESTINATIONS = ['userSettings', 'projectSettings', 'localSettings', 'session', 'cliArg'];

/** An agent may refuse an unknown destination, or treat it as the session. */
function hasKnownDestination(update: unknown): boolean {
  return DESTINATIONS.includes(String(member(update, 'destination')));
}

function concerns(update: unknown, tool: string): boolean {
  const isMode = member(update, 'type') === 'setMode';
  return isMode || member(update, 'type') === 'replaceRules' || patternsOf(update, tool).length > 0;
}

/** Whether the turn may have ended before an answer arrived, because the host had sent something that ends a turn. */
function mayBeCut(session: Session, answeredAt: number): boolean {
  const ends = timelineOf(session).filter(({ message, isOurs, at }) => at < answeredAt && isOurs && endsTurn(message));
  return ends.some(({ message, at }) => {
    const id = message['request_id'];
    const answer = session.received.find(
      ({ message: { response } }) => id !== undefined && member(response, 'request_id') === id,
    );
    const result = session.received.find(
      ({ message: { type }, at: place }) => type === 'result' && place > (answer?.at ?? at),
    );
    return (result?.at ?? Infinity) > answeredAt;
  });
}
