import { shortJson } from '@proto/testkit/steps';

import { onceFor } from '../../../once-for.ts';
import { hasFlag, member, type Message, type Placed, type Session } from '../../session-log.ts';
import { exchangesOf } from '../exchanges.ts';
import { type Broken, firstOf, type Rule } from '../rule.ts';
import { ValuedMap } from '../valued-map.ts';
import { answeredId, endedPrompts, isInit, isPrompt, payloadOf, subtypeOf, timelineOf } from '../timeline.ts';

export const settingRules: readonly Rule[] = [
  {
    name: 'setting/model',
    spec: 'CTL-35',
    check: (session) => otherModels(session, (model, first) => model !== first),
  },
  {
    name: 'setting/default-model',
    spec: 'CTL-38',
    check: (session) => otherModels(session, (model, first) => model === first),
  },
  { name: 'setting/mode', spec: 'PRM-27', check: otherModes },
  { name: 'setting/mode-reported', spec: 'PRM-28', check: silentModes },
  { name: 'interrupt/ends-the-turn', spec: 'INT-3', check: turnsThatWentOn },
];

/** A request whose id was used twice is left out. */
function ourRequests({ sent }: Session): ReadonlyMap<unknown, Placed> {
  const requests = new Map<unknown, Placed>();
  const twice = new Set<unknown>();
  for (const placed of sent) {
    if (placed.message['type'] !== 'control_request') continue;
    const id = placed.message['request_id'];
    if (requests.has(id)) twice.add(id);
    requests.set(id, placed);
  }
  for (const id of twice) requests.delete(id);
  return requests;
}

/** Stands for the value that the agent began with, if no `system/init` has shown it. */
const UNKNOWN = Symbol('unknown');

interface Allowed {
  /** The expected value. */
  readonly wanted: unknown;
  /** Whether the init has a possible value. */
  readonly isKept: boolean;
}

/**
 * The value that a `system/init` must have. A setting takes effect immediately while no turn is running, and otherwise after the `result`. If a
 * prompt has been sent, its turn may have begun before the setting was changed, so its `init` may have either value.
 */
class Wanted {
  #state: 'idle' | 'prompted' | 'running' = 'idle';
  readonly #prompts = new Set<unknown>();
  #now: unknown = UNKNOWN;
  #possible: unknown[] = [];
  #later: unknown;
  /** The values of requests that are not answered. The agent may have acted on them. */
  readonly #asked = new ValuedMap<unknown, unknown>();

  ask(id: unknown, value: unknown): void {
    this.#asked.set(id, value);
  }

  set(value: unknown): void {
    if (this.#state === 'idle') this.#now = value;
    else if (this.#state === 'running') this.#later = value;
    else this.#possible.push(value);
  }

  /** Returns the values that an init may have, if they are known. */
  follow(message: Message, isOurs: boolean, value?: unknown): Allowed | undefined {
    if (isOurs) {
      if (message['type'] === 'user' && this.#state === 'idle') this.#state = 'prompted';
      if (isPrompt(message)) this.#prompts.add(message['uuid']);
      return undefined;
    }
    for (const uuid of endedPrompts(message)) this.#prompts.delete(uuid);
    this.#asked.delete(answeredId(message));
    if (message['type'] === 'conversation_reset') this.#forget();
    if (message['type'] === 'result') {
      this.#state = this.#prompts.size > 0 ? 'prompted' : 'idle';
      this.#now = this.#later ?? this.#now;
      this.#later = undefined;
    }
    if (!isInit(message)) return undefined;
    // The agent may have ended the turn without a result.
    if (this.#state === 'running' && this.#later !== undefined) this.#possible.push(this.#later);
    this.#state = 'running';
    const wanted = this.#now;
    const values = [wanted, ...this.#possible];
    const isUnknown = values.includes(UNKNOWN) || this.#asked.hasValue(UNKNOWN);
    const allowed = isUnknown ? undefined : { wanted, isKept: values.includes(value) || this.#asked.hasValue(value) };
    const last = this.#possible.at(-1);
    if (last !== undefined && value !== last) this.#later = last;
    if (last !== undefined && value === last) this.#now = last;
    this.#possible = [];
    return allowed;
  }

  #forget(): void {
    this.#now = UNKNOWN;
    this.#later = undefined;
    this.#possible = [];
  }
}

/** Finds turns that do not have the model that was set. `applies` chooses the turns that are checked, by this model and the model of the first turn. */
function otherModels(session: Session, applies: (model: unknown, first: unknown) => boolean): Broken | undefined {
  const requests = ourRequests(session);
  const wanted = new Wanted();
  let first: unknown;
  let hasChanged = false;
  const valueOf = (request: Message) => {
    const model = member(request, 'request', 'model') ?? 'default';
    return model === 'default' ? (first ?? UNKNOWN) : model;
  };
  return firstOf(timelineOf(session), ({ message, isOurs }) => {
    const request = requests.get(answeredId(message));
    if (!isOurs && payloadOf(message) !== undefined && request !== undefined && isOf(request, 'set_model')) {
      wanted.set(isFollowedByCancelled(session, request) ? UNKNOWN : valueOf(request.message));
    }
    if (isOurs && subtypeOf(message) === 'set_model') {
      hasChanged = true;
      wanted.ask(message['request_id'], valueOf(message));
    }
    if (isOurs && isCancelOf(message, requests, 'set_model')) wanted.set(UNKNOWN);
    const allowed = wanted.follow(message, isOurs, message['model']);
    if (isOurs || !isInit(message)) return undefined;
    if (!hasChanged) first ??= message['model'];
    return allowed === undefined || allowed.isKept || !applies(allowed.wanted, first)
      ? undefined
      : {
          message: `The model was set to ${shortJson(allowed.wanted)}, but system/init reports a different model.`,
          got: message,
        };
  });
}

function otherModes(session: Session): Broken | undefined {
  const requests = ourRequests(session);
  const wanted = new Wanted();
  return firstOf(timelineOf(session), ({ message, isOurs }) => {
    const mode = member(payloadOf(message), 'mode');
    const request = requests.get(answeredId(message));
    if (!isOurs && mode !== undefined && request !== undefined && isOf(request, 'set_permission_mode'))
      wanted.set(isFollowedByCancelled(session, request) ? UNKNOWN : mode);
    const reported = message['subtype'] === 'status' ? message['permissionMode'] : undefined;
    if (!isOurs && reported !== undefined) wanted.set(reported);
    if (isOurs && subtypeOf(message) === 'set_permission_mode') wanted.ask(message['request_id'], UNKNOWN);
    if (isOurs && isCancelOf(message, requests, 'set_permission_mode')) wanted.set(UNKNOWN);
    const allowed = wanted.follow(message, isOurs, message['permissionMode']);
    return isOurs || allowed === undefined || allowed.isKept
      ? undefined
      : {
          message: `The mode was set to ${shortJson(allowed.wanted)}, but system/init reports a different mode.`,
          got: message,
        };
  });
}

/** Whether the host sent a request of the same subtype later and withdrew it. The agent may have handled both requests. */
function isFollowedByCancelled(session: Session, { message, at }: Placed): boolean {
  return (lastCancelledOf(session).get(subtypeOf(message)) ?? -1) > at;
}

/** For each subtype, the last position after which the host still sent a request of the subtype as well as a cancel with its id. */
const lastCancelledOf = onceFor(({ sent }: Session) => {
  const cancels = new Map<unknown, number>();
  for (const { message, at } of sent)
    if (message['type'] === 'control_cancel_request') cancels.set(message['request_id'], at);
  const last = new Map<unknown, number>();
  for (const { message, at } of sent) {
    const cancelledAt = cancels.get(message['request_id']);
    const subtype = subtypeOf(message);
    if (subtype !== undefined && cancelledAt !== undefined)
      last.set(subtype, Math.max(last.get(subtype) ?? -1, Math.min(at, cancelledAt)));
  }
  return last;
});

/** Whether the host withdraws a request of a subtype, which the agent may or may not have handled. */
function isCancelOf({ type, request_id: id }: Message, requests: ReadonlyMap<unknown, Placed>, subtype: string) {
  const request = type === 'control_cancel_request' ? requests.get(id) : undefined;
  return request !== undefined && isOf(request, subtype);
}

function isOf({ message }: Placed, subtype: string): boolean {
  return subtypeOf(message) === subtype;
}

function silentModes(session: Session): Broken | undefined {
  const exchanges = new Map(exchangesOf(session).map((exchange) => [exchange.answer, exchange]));
  let mode: unknown = hasFlag(session, '--permission-mode') ? undefined : 'default';
  let silent: { readonly mode: unknown; readonly got: Message } | undefined;
  const reportedAt = new Map<unknown, number>();
  const problem = () =>
    silent && { message: `The change to the mode ${shortJson(silent.mode)} was not reported.`, got: silent.got };
  const broken = firstOf(session.received, ({ message, at }) => {
    if (message['subtype'] === 'status' && message['permissionMode'] !== undefined) {
      mode = message['permissionMode'];
      reportedAt.set(mode, at);
      if (silent?.mode === mode) silent = undefined;
    }
    if (isInit(message)) {
      mode = message['permissionMode'];
      return problem();
    }
    const changed = member(payloadOf(message), 'mode');
    const exchange = exchanges.get(message);
    if (exchange?.subtype !== 'set_permission_mode' || changed === undefined) return undefined;
    const isReported = (reportedAt.get(changed) ?? -1) > exchange.asked;
    if (mode !== undefined && changed !== mode && !isReported) silent = { mode: changed, got: message };
    mode = changed;
    return undefined;
  });
  return broken ?? (session.isComplete ? problem() : undefined);
}

function turnsThatWentOn(session: Session): Broken | undefined {
  const requests = ourRequests(session);
  let isOpen = false;
  let isAsked = false;
  let isInterrupted = false;
  let isUrgent = false;
  return firstOf(timelineOf(session), ({ message, isOurs }) => {
    if (isOurs) {
      isAsked ||= isOpen && subtypeOf(message) === 'interrupt';
      // Such a prompt may have ended the turn before the interrupt.
      isUrgent ||= message['priority'] === 'now';
      return undefined;
    }
    if (isInit(message)) isOpen = true;
    const request = requests.get(answeredId(message));
    if (request !== undefined && isOf(request, 'interrupt') && payloadOf(message) !== undefined)
      isInterrupted = isAsked && isOpen;
    if (message['type'] !== 'result') return undefined;
    const wasInterrupted = isInterrupted && !isUrgent;
    isOpen = isAsked = isInterrupted = isUrgent = false;
    return !wasInterrupted || message['subtype'] === 'error_during_execution'
      ? undefined
      : {
          message: 'The result of an interrupted turn does not have the subtype "error_during_execution".',
          got: message,
        };
  });
}
