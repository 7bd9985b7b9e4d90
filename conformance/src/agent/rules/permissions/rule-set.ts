import { onceFor } from '../../../once-for.ts';
import { byKeys } from '../../../by-keys.ts';
import { resultsOf } from '../moments.ts';
import { countWhile, firstAfter } from '../../../positions.ts';
import { Spans } from '../spans.ts';
import { type Call, callsOf, saidTo, type Settled } from '../calls.ts';
import { listOf, member, type Session } from '../../session-log.ts';
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
  const rules = rulesBeforeCalls(session).get(call) ?? NO_RULES;
  // An answer that arrives while the call is being decided may come before the decision or after it.
  const crossing = firstAfter(changesFor(session)(call.name), call.at)?.at ?? Infinity;
  return crossing < (call.resultAt ?? Infinity) ? { ...rules, isUncertain: true } : rules;
}

const NO_RULES: RulesOfTool = { behaviors: new Set(), isUncertain: false };

/** Follows the rules of each tool once for all its calls. */
const rulesBeforeCalls: (session: Session) => ReadonlyMap<Call, RulesOfTool> = onceFor((session) => {
  const rules = new Map<Call, RulesOfTool>();
  for (const [tool, calls] of byKeys(callsOf(session), ({ name }) => [name])) {
    const followed = new FollowedRules(tool);
    const changes = changesFor(session)(tool);
    let next = 0;
    for (const call of calls.toSorted((a, b) => a.at - b.at)) {
      for (; (changes[next]?.at ?? Infinity) <= call.at; next += 1) followed.add(changes[next] as Change);
      rules.set(call, followed.now());
    }
  }
  return rules;
});

/** Follows the rules of a tool. Changes take effect in the order of their calls, also if they are answered in a different order. */
class FollowedRules {
  readonly #tool: string;
  readonly #changes: Change[] = [];
  /** What holds after each of the first changes, as far as it is known. */
  readonly #states: State[] = [{ behaviors: new Map(), isUncertain: false }];
  #rules: RulesOfTool | undefined;

  constructor(tool: string) {
    this.#tool = tool;
  }

  add(change: Change): void {
    const place = countWhile(this.#changes, ({ order }) => order < change.order);
    this.#changes.splice(place, 0, change);
    this.#states.splice(place + 1);
    this.#rules = undefined;
  }

  now(): RulesOfTool {
    for (const change of this.#changes.slice(this.#states.length - 1))
      this.#states.push(stateAfter(this.#states.at(-1) as State, change, this.#tool));
    const { behaviors, isUncertain } = this.#states.at(-1) as State;
    this.#rules ??= { behaviors: new Set([...behaviors.values()].flatMap((set) => [...set])), isUncertain };
    return this.#rules;
  }
}

interface State {
  /** By destination. */
  readonly behaviors: ReadonlyMap<string, ReadonlySet<Behavior>>;
  readonly isUncertain: boolean;
}

function stateAfter(before: State, { updates, counts }: Change, tool: string): State {
  const isSure = counts && updates.every(hasKnownDestination);
  const isVague = updates.some((update) => (isSure ? hasPattern(update, tool) : concerns(update, tool)));
  let { behaviors, isUncertain } = { ...before, isUncertain: before.isUncertain || isVague };
  for (const update of updates) {
    if (mayRemoveElsewhere(update, tool, behaviors)) isUncertain = true;
    behaviors = apply(update, tool, behaviors);
  }
  return { behaviors, isUncertain };
}

interface Change {
  readonly updates: readonly unknown[];
  /** The order of the calls that were answered. */
  readonly order: number;
  /** The position of the answer. */
  readonly at: number;
  /** Whether the agent has certainly acted on the answer. */
  readonly counts: boolean;
}

const changesOf: (session: Session) => readonly Change[] = onceFor((session) =>
  callsOf(session).flatMap(({ question }, order) => {
    const answer = member(question?.answer, 'response', 'response');
    const updates = listOf(member(answer, 'updatedPermissions'));
    if (updates.length === 0 || question?.answeredAt === undefined || isLate(question)) return [];
    const { answeredAt } = question;
    // According to the specification, only approvals contain updates. An agent may ignore updates in a denial.
    const isApproval = member(answer, 'behavior') === 'allow' && saidTo(question) !== undefined;
    return [{ updates, order, at: answeredAt, counts: isApproval && !mayBeCut(session, answeredAt) }];
  }),
);

/** Finds the changes that may concern a tool, in the order of the answers: those that name it, and those that may concern each tool. */
const changesFor: (session: Session) => (tool: string) => readonly Change[] = onceFor((session) => {
  const sorted = (changes: readonly Change[]) => changes.toSorted((a, b) => a.at - b.at);
  const inTime = sorted(changesOf(session));
  const general = inTime.filter(({ updates }) => updates.some(concernsAll));
  const named = byKeys(inTime, ({ updates }) => updates.flatMap(toolsNamedIn));
  const known = new Map<string, readonly Change[]>();
  return (tool) => {
    const changes = known.get(tool) ?? sorted([...new Set([...general, ...(named.get(tool) ?? [])])]);
    known.set(tool, changes);
    return changes;
  };
});

/** Whether a question was answered after the agent had withdrawn it. The agent must ignore such an answer. */
function isLate({ cancelledAt = Infinity, answeredAt = -Infinity }: Settled): boolean {
  return cancelledAt < answeredAt;
}

/** Whether the host has approved an earlier call of the tool too late, with new rules. */
export function hasLateRules(session: Session, call: Call): boolean {
  return (firstLateOf(session).get(call.name) ?? Infinity) < call.at;
}

/** For each tool, the position of the first late answer with new rules. */
const firstLateOf = onceFor((session: Session) => {
  const first = new Map<string, number>();
  for (const { question, name } of callsOf(session)) {
    const updates = listOf(member(question?.answer, 'response', 'response', 'updatedPermissions'));
    if (question !== undefined && isLate(question) && updates.length > 0)
      first.set(name, Math.min(first.get(name) ?? Infinity, question.answeredAt ?? Infinity));
  }
  return first;
});

type Behaviors = ReadonlyMap<string, ReadonlySet<Behavior>>;

function apply(update: unknown, tool: string, rules: Behaviors): Behaviors {
  const { type, behavior, destination } = Object(update) as Readonly<Record<string, unknown>>;
  const place = String(destination);
  const set = new Set(rules.get(place));
  const isNamed = namesTool(update, tool);
  if (type === 'replaceRules') set.delete(behavior as Behavior);
  if (isNamed && (type === 'addRules' || type === 'replaceRules')) set.add(behavior as Behavior);
  if (isNamed && type === 'removeRules') set.delete(behavior as Behavior);
  return new Map(rules).set(place, set);
}

/** Whether an update removes a rule that another destination has too. Claude Code 2.1.332 then removes the rule from both. */
function mayRemoveElsewhere(update: unknown, tool: string, rules: Behaviors): boolean {
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
  return concernsAll(update) || patternsOf(update, tool).length > 0;
}

function concernsAll(update: unknown): boolean {
  return member(update, 'type') === 'setMode' || member(update, 'type') === 'replaceRules';
}

function toolsNamedIn(update: unknown): readonly unknown[] {
  return listOf(member(update, 'rules')).map((rule) => member(rule, 'toolName'));
}

/** Whether the turn may have ended before an answer arrived, because the host had sent something that ends a turn. */
function mayBeCut(session: Session, answeredAt: number): boolean {
  return endingsOf(session).across(answeredAt, answeredAt).length > 0;
}

/** What the host sent that ends a turn, until the turn has certainly ended. */
const endingsOf = onceFor((session: Session) => {
  const answeredAt = new Map<unknown, number>();
  for (const { message, at } of session.received) {
    const id = member(message['response'], 'request_id');
    if (id !== undefined && !answeredAt.has(id)) answeredAt.set(id, at);
  }
  const endings = session.sent.filter(({ message }) => endsTurn(message));
  return new Spans(
    endings.map(({ message, at }) => {
      const end = firstAfter(resultsOf(session), answeredAt.get(message['request_id']) ?? at);
      return { from: at, until: end?.at ?? Infinity, item: message };
    }),
  );
});
