import { isObject } from '../json.ts';
import { match } from '../match/match.ts';
import { describeMismatch } from '../match/mismatch.ts';
import { findMatch } from './expect.ts';
import type { Scope } from './scope.ts';
import { bindAs, partyOf, send, type Step } from './step.ts';
import { StepFailure } from './step-failure.ts';

export async function sendRequest(step: Step, scope: Scope): Promise<void> {
  scope.requests += 1;
  const request = scope.variables.fill(step['request']);
  const message = { type: 'control_request', request_id: `request-${scope.requests}`, request };
  bindAs(step, message, scope);
  await send(partyOf(step, scope), message);
}

export async function sendAnswer(step: Step, scope: Scope): Promise<void> {
  const id = idOf(step, 'answer', scope);
  const response =
    step['error'] === undefined
      ? { subtype: 'success', request_id: id, response: scope.variables.fill(step['with'] ?? {}) }
      : { subtype: 'error', request_id: id, error: scope.variables.fill(step['error']) };
  await send(partyOf(step, scope), { type: 'control_response', response });
}

export async function sendCancel(step: Step, scope: Scope): Promise<void> {
  await send(partyOf(step, scope), { type: 'control_cancel_request', request_id: idOf(step, 'cancel', scope) });
}

/**
 * Returns the answer to a request that `serve` names, or `undefined`. Parties call this function when a request arrives. `{$error: TEXT}` stands for
 * an error with this text.
 */
export function servedAnswer(message: unknown, scope: Scope): unknown {
  const name = servedName(message, scope);
  if (name === undefined) return undefined;
  const { request_id } = message as { readonly request_id?: unknown };
  scope.answered.add(request_id);
  scope.variables.bind('served', message);
  // An answer may repeat the id of an MCP message. A notification has no id, so the id is then left out.
  const response = scope.variables.fill(scope.served.get(name), 'left-out');
  const isError = isObject(response) && '$error' in response;
  return {
    type: 'control_response',
    response: isError
      ? { subtype: 'error', request_id, error: response['$error'] }
      : { subtype: 'success', request_id, response },
  };
}

/** Returns the name under which a request is served: the name of its hook, or its subtype. With the answer `null`, it is not served. */
function servedName(message: unknown, { served }: Scope): string | undefined {
  if (!isObject(message) || message['type'] !== 'control_request' || !isObject(message['request'])) return undefined;
  const { subtype, callback_id: hook } = message['request'];
  const name = [`${String(subtype)}/${String(hook)}`, String(subtype)].find((each) => served.has(each));
  return name === undefined || served.get(name) === null ? undefined : name;
}

export async function expectAnswer(step: Step, scope: Scope): Promise<void> {
  const party = partyOf(step, scope);
  const id = idOf(step, 'expect-answer', scope);
  const pattern = { type: 'control_response', response: { request_id: id } };
  // The answer may have arrived before messages that an earlier step has already read.
  const at = await findMatch(pattern, { ...step, anywhere: true }, party, scope);
  const answer = party.inbox.received[at]?.value;
  bindAs(step, answer, scope);
  const wanted =
    step['error'] === undefined
      ? { subtype: 'success', ...(step['with'] === undefined ? {} : { response: step['with'] }) }
      : { subtype: 'error', error: step['error'] };
  const result = match({ response: wanted }, answer, scope.variables);
  if (!result.ok) {
    throw new StepFailure(
      `The answer to "${String(step['expect-answer'])}" is not the expected one: ${describeMismatch(result.mismatch)}`,
      { expected: wanted, got: answer },
    );
  }
  for (const [name, value] of result.bound) scope.variables.bind(name, value);
}

function idOf(step: Step, field: string, scope: Scope): unknown {
  return scope.variables.get(`${String(step[field])}.request_id`);
}
