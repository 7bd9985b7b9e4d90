import { isDeepStrictEqual } from 'node:util';

import { isObject, shortJson } from '@proto/testkit/steps';

import { type AskedQuestion, askedQuestions } from '../asked-questions.ts';
import type { BrokenRule } from '../broken-rule.ts';
import type { HostAnswer, HostRunOptions } from '../host-program.ts';
import type { RecordedLine } from '../host-session.ts';
import { type RegisteredHook, registeredHooks, type ServedRequest, servedRequests } from '../served-requests.ts';

type Members = Readonly<Record<string, unknown>>;

export interface UserSide {
  readonly events: readonly unknown[];
  /** The user's answers, by question id. */
  readonly answers: ReadonlyMap<unknown, HostAnswer>;
  /** The callbacks that the user has set up, through which the host asks the user. */
  readonly brings?: HostRunOptions;
  /** Whether the host notifies the user when a question is withdrawn. */
  readonly withdraws?: boolean;
}

type Problem = readonly [spec: string, text: string] | undefined;

/**
 * Returns what is wrong with questions and decisions. The user must receive the agent's questions, and the agent must receive the user's decisions.
 * The questions and decisions are known in each case, so every case checks these rules.
 */
export function wrongDecisions(
  record: readonly RecordedLine[],
  { events, answers, brings = {}, withdraws = false }: UserSide,
): BrokenRule[] {
  const served = servedRequests(record);
  const hooks = registeredHooks(record);
  const questions = askedQuestions(events, served, answers);
  const withdrawn = new Set(
    events.flatMap((event) => (isObject(event) && event['type'] === 'withdrawn' ? [event['id']] : [])),
  );
  const asked = questions.flatMap((question) => [
    { rule: 'question-as-asked', problem: wrongQuestion(question, hooks), got: question.shown },
    { rule: 'answer-as-decided', problem: wrongAnswer(question), got: question.served.answer },
    { rule: 'withdrawn', problem: withdraws ? leftOpen(question, withdrawn) : undefined, got: question.shown },
  ]);
  const shown = new Set(questions.map((question) => question.served));
  const own = served
    .filter((each) => !shown.has(each))
    .map((each) => {
      const { answer } = each;
      const payload = answer?.['subtype'] === 'success' ? answer['response'] : undefined;
      const problem = isObject(payload) ? ownDecision(each, payload, hooks, brings) : ownRefusal(each, hooks, brings);
      return { rule: 'decided-by-the-user', problem, got: answer };
    });
  return [...asked, ...own].flatMap(({ rule, problem, got }) =>
    problem === undefined ? [] : [{ rule, spec: problem[0], message: problem[1], got }],
  );
}

function wrongQuestion({ kind, shown, served }: AskedQuestion, hooks: ReadonlyMap<unknown, RegisteredHook>): Problem {
  const { request } = served;
  // A character that was cut in two becomes U+FFFD.
  if (JSON.stringify(shown).includes('\uFFFD') && !JSON.stringify(request).includes('\uFFFD'))
    return ['FRM-7', 'A character in the question to the user was corrupted.'];
  const differs = (name: string) => shown[name] !== undefined && !isDeepStrictEqual(shown[name], request[name]);
  if (kind === 'permission') {
    const wrong = ['tool_name', 'input'].find(differs);
    return wrong === undefined
      ? undefined
      : ['PRM-40', `The ${wrong} in the question to the user differs from the ${wrong} in the request.`];
  }
  if (kind !== 'hook') return undefined;
  if (differs('input')) return ['HOK-45', 'The input that the hook got differs from the input in the request.'];
  const hook = hooks.get(request['callback_id']);
  const isOther =
    hook !== undefined &&
    (hook.event !== shown['event'] || ('matcher' in shown && (shown['matcher'] ?? '') !== (hook.matcher ?? '')));
  return isOther ? ['HOK-45', 'The request names a hook, but the host called a different hook.'] : undefined;
}

function wrongAnswer({ kind, served, answer }: AskedQuestion): Problem {
  const response = served.answer;
  if (answer === undefined || response === undefined || served.isCancelled) return undefined;
  const isError = response['subtype'] === 'error';
  const payload = isObject(response['response']) ? response['response'] : {};
  const failed = 'error' in answer;
  const decided = !failed && isObject(answer.value) ? answer.value : {};
  switch (kind) {
    case 'permission':
      if (failed !== isError) return failed ? ['PRM-12', FAILED] : ['PRM-40', LOST];
      return failed ? undefined : wrongPermission(decided, payload, served.request);
    case 'hook':
      if (failed !== isError) return failed ? ['HOK-46', FAILED] : ['HOK-47', LOST];
      return failed ? undefined : changed('HOK-47', decided, payload, Object.keys(decided));
    case 'elicitation':
      if (failed) return payload['action'] === 'accept' ? ['MCP-30', FAILED] : undefined;
      return isError ? ['MCP-30', LOST] : changed('MCP-30', decided, payload, ['action', 'content']);
    default:
      if (failed) return payload['behavior'] === 'completed' ? ['MCP-36', FAILED] : undefined;
      if (isError) return ['MCP-36', LOST];
      return changed('MCP-28', decided, payload, ['behavior']) ?? changed('MCP-36', decided, payload, ['result']);
  }
}

const FAILED = "The user's callback failed, but the answer does not report the failure.";
const LOST = 'The user decided, but the answer is an error.';

function wrongPermission(decided: Members, payload: Members, { input, tool_use_id }: Members): Problem {
  const { updatedPermissions = [], interrupt } = payload;
  if (payload['behavior'] !== decided['behavior']) return ['PRM-40', "The answer does not match the user's decision."];
  if (payload['toolUseID'] !== tool_use_id)
    return ['PRM-11', 'toolUseID in the answer differs from tool_use_id in the request.'];
  if (decided['behavior'] === 'deny' && (interrupt === true) !== (decided['interrupt'] === true))
    return ['PRM-43', "The answer and the user's decision differ on whether the turn ends."];
  if (decided['behavior'] === 'deny') return changed('PRM-10', decided, payload, ['message']);
  if (!isDeepStrictEqual(updatedPermissions, decided['updatedPermissions'] ?? []))
    return ['PRM-42', 'The answer does not contain the permission changes that the user chose.'];
  if (decided['updatedInput'] !== undefined) return changed('PRM-35', decided, payload, ['updatedInput']);
  return payload['updatedInput'] === undefined || isDeepStrictEqual(payload['updatedInput'], input)
    ? undefined
    : ['PRM-41', 'The user approved the input of the request, but the answer contains a different input.'];
}

function changed(spec: string, decided: Members, payload: Members, names: readonly string[]): Problem {
  const name = names.find((each) => decided[each] !== undefined && !isDeepStrictEqual(decided[each], payload[each]));
  if (name === undefined) return undefined;
  return [
    spec,
    `The user gave ${shortJson(decided[name])} as ${name}, but the answer contains ${shortJson(payload[name])}.`,
  ];
}

/** Finds a question that the agent cancelled and the user left open, but the host did not withdraw. */
function leftOpen({ id, served, answer }: AskedQuestion, withdrawn: ReadonlySet<unknown>): Problem {
  const isOpen = served.isCancelled && served.answer === undefined && answer === undefined;
  return isOpen && !withdrawn.has(id)
    ? ['CTL-45', 'The agent cancelled a question, but the user was not notified.']
    : undefined;
}

/** Finds a request that the user could have decided, but the host refused without asking. */
function ownRefusal(
  { subtype, request, answer, isCancelled, isLate }: ServedRequest,
  hooks: ReadonlyMap<unknown, RegisteredHook>,
  { permissions = false, elicitation = false, dialogs = [] }: HostRunOptions,
): Problem {
  if (answer?.['subtype'] !== 'error' || isCancelled || isLate) return undefined;
  const text = `The host refused ${subtype} without asking the user.`;
  if (subtype === 'hook_callback') return hooks.has(request['callback_id']) ? ['HOK-45', text] : undefined;
  if (subtype === 'can_use_tool') return permissions ? ['PRM-40', text] : undefined;
  if (subtype === 'elicitation') return elicitation ? ['MCP-30', text] : undefined;
  const isListed = subtype === 'request_user_dialog' && dialogs.includes(String(request['dialog_kind']));
  return isListed ? ['MCP-36', text] : undefined;
}

/** Finds a decision that only the user can make, but for which the user was never asked. */
function ownDecision(
  { subtype, request: { callback_id, dialog_kind }, isCancelled, isLate }: ServedRequest,
  payload: Members,
  hooks: ReadonlyMap<unknown, RegisteredHook>,
  { elicitation = false, dialogs = [] }: HostRunOptions,
): Problem {
  const text = `The host answered ${subtype} without asking the user.`;
  const isOpen = !isCancelled && !isLate;
  const isShown = dialogs.includes(String(dialog_kind));
  if (subtype === 'can_use_tool') return ['PRM-40', text];
  if (subtype === 'hook_callback') return hooks.has(callback_id) ? ['HOK-45', text] : ['HOK-12', text];
  if (subtype === 'elicitation')
    return payload['action'] === 'accept' || (elicitation && isOpen) ? ['MCP-30', text] : undefined;
  const isDecided = payload['behavior'] === 'completed' || (isShown && isOpen);
  return subtype === 'request_user_dialog' && isDecided ? ['MCP-36', text] : undefined;
}
