import { isObject, shortJson, StepFailure } from '@proto/testkit/steps';

import { askedQuestions } from '../asked-questions.ts';
import type { HostScope } from '../host-scope.ts';
import { openCalls } from '../rules/call-rules.ts';
import { hasEndedEarly, type ServedRequest, servedRequests } from '../served-requests.ts';
import { blamedRequirement, readingRequirement } from './blame.ts';

export interface Owed {
  readonly spec: string;
  readonly message: string;
}

/** Thrown if a host does not do what its agent or its user waits for. Names the broken requirement. */
export class OwedFailure extends StepFailure {
  readonly spec: string;
  readonly rule: string | undefined;

  constructor({ spec, message }: Owed, rule?: string) {
    super(message);
    this.spec = spec;
    this.rule = rule;
  }
}

/** The list is empty if the host waits for the agent or the user. */
export function owedByHost(scope: HostScope): readonly Owed[] {
  const { session, host, made } = scope;
  const events = eventsOf(scope);
  return [
    ...owedAnswers(scope, events),
    ...owedPrompts(scope),
    ...owedInterrupts(scope),
    ...openCalls(session.record, host.answers === undefined ? [] : events, host.answers === undefined ? [] : made).map(
      ({ call, response }) => ({
        spec: response?.['subtype'] === 'success' && response['response'] === undefined ? 'CTL-6' : 'CTL-16',
        message: `The agent has answered the request of the call ${shortJson({ [call.method]: call.arguments })}, but the call has not returned`,
      }),
    ),
  ];
}

/** Why the session is over although neither the agent nor the user has ended it. `undefined` if the session continues. */
export function unexpectedEnd(scope: HostScope): Owed | undefined {
  const { session, made, start } = scope;
  const result = eventsOf(scope).find((event) => isObject(event) && event['type'] === 'result');
  const hasClosed = made.some(({ method }) => method === 'end' || method === 'close');
  const isEarly = result !== undefined || (start.open === true && session.hasEnded);
  if (hasClosed || !(session.inbox.ended !== undefined || isEarly || scope.host.inbox.ended !== undefined))
    return undefined;
  const error = isObject(result) && typeof result['error'] === 'string' ? `: ${result['error']}` : '';
  return {
    spec: blamedRequirement(session),
    message: `The host ended the session, although the agent was running${error}.`,
  };
}

function eventsOf({ host }: HostScope): readonly unknown[] {
  return host.inbox.received.map(({ value }) => value);
}

function owedAnswers(scope: HostScope, events: readonly unknown[]): Owed[] {
  const { session, host, start, features } = scope;
  if (start.open !== true && hasEndedEarly(session.record, scope.prompts)) return [];
  const served = servedRequests(session.record);
  const dialogs = start.options?.dialogs ?? [];
  const isForeign = ({ subtype, request }: ServedRequest) =>
    subtype === 'request_user_dialog' && !dialogs.includes(String(request['dialog_kind']));
  const open = served
    .filter(({ answer, isLate }) => answer === undefined && !isLate)
    .filter((each) => !isForeign(each));
  if (open.length === 0) return [];
  const questions = host.answers === undefined ? [] : askedQuestions(events, served, host.answers);
  const withdrawn = new Set(
    events.flatMap((event) => (isObject(event) && event['type'] === 'withdrawn' ? [event['id']] : [])),
  );
  return open.flatMap((each) => {
    const question = questions.find((one) => one.served === each);
    if (each.isCancelled) {
      const isOwed = features.has('withdrawn') && question !== undefined && question.answer === undefined;
      const message = `The agent cancelled the request ${shortJson(each.id)}, but the user was not notified`;
      return isOwed && !withdrawn.has(question.id) ? [{ spec: 'CTL-45', message }] : [];
    }
    if (question !== undefined && question.answer === undefined) return [];
    const failed = question?.answer !== undefined && 'error' in question.answer;
    const message = `The request ${shortJson(each.id)} (${each.subtype}) is not answered`;
    return [{ spec: requirementOf(each, failed, scope), message }];
  });
}

const SERVED_SUBTYPES = ['can_use_tool', 'hook_callback', 'mcp_message', 'elicitation', 'request_user_dialog'];

/** The requirement that a host breaks if it does not answer a request. */
function requirementOf({ id, subtype, request }: ServedRequest, failed: boolean, { start }: HostScope): string {
  const { permissions = false, elicitation = false, servers = [] } = start.options ?? {};
  if (!SERVED_SUBTYPES.includes(subtype)) return readingRequirement(String(id)) ?? 'CTL-18';
  if (subtype === 'can_use_tool' && (failed || !permissions)) return 'PRM-12';
  if (subtype === 'hook_callback' && failed) return 'HOK-46';
  if (subtype === 'elicitation' && !elicitation) return 'MCP-25';
  if (subtype !== 'mcp_message') return readingRequirement(JSON.stringify([id, request])) ?? 'CTL-3';
  if (!servers.includes(String(request['server_name']))) return 'MCP-10';
  return isObject(request['message']) && request['message']['id'] === undefined
    ? 'MCP-9'
    : (readingRequirement(JSON.stringify([id, request])) ?? 'CTL-3');
}

function owedPrompts({ session, start, prompts, made }: HostScope): Owed[] {
  const messages = session.record.flatMap((line) => ('message' in line ? [line] : []));
  const results = messages.filter(({ by, message }) => by === 'agent' && message['type'] === 'result');
  const added = made.filter(({ method }) => method === 'prompt').length;
  const own = prompts.length - added;
  const due = added + (start.together === true ? own : Math.min(own, 1 + results.length));
  const sent = messages.filter(({ by, message }) => by === 'host' && message['type'] === 'user').length;
  // Some hosts wait for the answer to `initialize` before their first prompt.
  if (session.hasEnded || sent >= due || !isInitialized(session.record)) return [];
  const message = `The host has sent ${sent} of the ${due} prompts of its user`;
  return [{ spec: results.at(-1)?.message['is_error'] === true ? 'TRN-63' : 'TRN-65', message }];
}

function isInitialized(record: HostScope['session']['record']): boolean {
  const request = record.find(
    (line) =>
      'message' in line &&
      line.by === 'host' &&
      isObject(line.message['request']) &&
      line.message['request']['subtype'] === 'initialize',
  );
  if (request === undefined || !('message' in request)) return true;
  const id = request.message['request_id'];
  return record.some(
    (line) =>
      'message' in line &&
      line.by === 'agent' &&
      isObject(line.message['response']) &&
      line.message['response']['request_id'] === id,
  );
}

function owedInterrupts({ session, made }: HostScope): Owed[] {
  const asked = made.filter(({ method, isWithdrawn }) => method === 'interrupt' && !isWithdrawn).length;
  const sent = session.record.filter(
    (line) =>
      'message' in line &&
      line.by === 'host' &&
      isObject(line.message['request']) &&
      line.message['request']['subtype'] === 'interrupt',
  ).length;
  return sent < asked
    ? [
        {
          spec: 'INT-34',
          message: `The user has called interrupt ${asked} times, but the host has sent ${sent} interrupts`,
        },
      ]
    : [];
}
