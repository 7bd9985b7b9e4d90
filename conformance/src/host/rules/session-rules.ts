import { parseControlAnswer, parseMessage } from '@proto/core/messages';
import { isObject, shortJson } from '@proto/testkit/steps';

import type { BrokenRule } from '../broken-rule.ts';
import { wrongOptions } from './option-rules.ts';
import { wrongPrompts } from './prompt-rules.ts';
import { type UserSide, wrongDecisions } from './decision-rules.ts';
import { type UserCall, wrongCalls } from './call-rules.ts';
import { isRpcNotification, wrongServerAnswer } from './server-rules.ts';
import { wrongMessages } from './handed-on-rules.ts';
import { askedQuestions } from '../asked-questions.ts';
import { hasEndedEarly, servedRequests } from '../served-requests.ts';
import type { HostRunOptions } from '../host-program.ts';
import type { HostSession, RecordedLine } from '../host-session.ts';

type Message = Readonly<Record<string, unknown>>;
type HostMessage = Extract<RecordedLine, { message: Message }>;

export interface RuleContext {
  /** The kinds of dialogs that the host has listed: requests for other dialogs may remain unanswered. */
  readonly dialogs: ReadonlySet<string>;
  /** Whether the session ran to its end, so that unanswered requests are failures. */
  readonly isComplete: boolean;
  /** The events that the adapter has written. `undefined` if the host does not report messages. */
  readonly events: readonly unknown[] | undefined;
  /** The user's questions and answers. `undefined` if the host does not report questions and answers. */
  readonly user: UserSide | undefined;
  /** Whether the user has a function that decides tool calls. */
  readonly decides: boolean;
  readonly prompts: readonly unknown[];
  readonly options: HostRunOptions;
  readonly methods: readonly string[];
  readonly calls: readonly UserCall[];
  /** Whether the steps have ended the process of the agent, so that the host may not have been able to answer. */
  readonly isCutOff: boolean;
  readonly isOpen: boolean;
}

export function brokenRules(session: HostSession, context: RuleContext): BrokenRule[] {
  const messages = session.record.filter((line): line is HostMessage => 'message' in line);
  const said = messages.filter(({ by }) => by === 'host').map(({ message }) => message);
  const isComplete = context.isComplete && !isCut(session.record, context.methods);
  return [
    ...session.brokenLines.map(({ spec, reason }) => ({ rule: 'lines', spec, message: sentence(reason) })),
    ...replacedCharacters(said, context),
    ...said.flatMap((message) => malformed(message)),
    ...repeatedIds(messages),
    ...wrongAnswers(messages, session.record, context),
    ...earlySignal(session.record),
    ...answeredSigns(messages),
    // If the agent ends first, a prompt may still be on its way.
    ...wrongPrompts(session.record, { prompts: context.prompts, isComplete: isComplete && session.hasEnded }),
    ...wrongOptions(session.record, context),
    ...wrongArguments(session.record, context),
    ...(context.user === undefined
      ? []
      : [
          ...wrongDecisions(session.record, context.user),
          ...wrongCalls(session.record, context.user.events, context.calls, session.isEnding),
        ]),
    ...(context.events === undefined ? [] : wrongMessages(session.record, context.events, isComplete)),
  ];
}

function malformed(message: Message): BrokenRule[] {
  const lenient = parseMessage(message, { direction: 'from-host' });
  const parsed =
    lenient.kind === 'invalid' ? lenient : parseMessage(message, { direction: 'from-host', mode: 'strict' });
  if (parsed.kind !== 'invalid') return [];
  const [issue] = parsed.issues;
  const place = issue?.path.join('.') ?? '';
  return [
    {
      rule: 'valid-messages',
      spec: lenient.kind === 'invalid' ? requirementOf(message) : 'MSG-38',
      message: `A message of type ${shortJson(message['type'])} is not valid: ${place === '' ? '' : `${place}: `}${issue?.message}.`,
      got: message,
    },
  ];
}

/** Finds texts of the user in which a character was lost. A character whose bytes are not written together becomes U+FFFD. */
function replacedCharacters(said: readonly Message[], { prompts, calls }: RuleContext): BrokenRule[] {
  if (JSON.stringify([prompts, calls.map((call) => call.arguments)]).includes('\uFFFD')) return [];
  const got = said.find(({ type, message, request }) =>
    JSON.stringify([type === 'user' ? message : type === 'control_request' ? request : null]).includes('\uFFFD'),
  );
  const message = "A message contains U+FFFD in place of a character of the user's text.";
  return got === undefined ? [] : [{ rule: 'whole-characters', spec: 'FRM-2', message, got }];
}

function requirementOf({ type }: Message): string {
  if (typeof type !== 'string') return 'MSG-1';
  const bound = { control_request: 'CTL-1', control_response: 'CTL-2', user: 'TRN-1' };
  return bound[type as keyof typeof bound] ?? 'MSG-3';
}

/** Whether the host or its user ended the session, so that the user may have lost the last messages. */
function isCut(record: readonly RecordedLine[], methods: readonly string[]): boolean {
  return methods.includes('close') || record.some((line) => 'event' in line && endsProcess(line.event, line.detail));
}

/** Finds requests with the id of an earlier request that was still open or already answered. */
function repeatedIds(messages: readonly HostMessage[]): BrokenRule[] {
  const open = new Set<unknown>();
  const used = new Set<unknown>();
  const broken: BrokenRule[] = [];
  for (const { by, message } of messages) {
    if (by === 'host' && message['type'] === 'control_request') {
      const id = message['request_id'];
      if (open.has(id))
        broken.push({
          rule: 'unique-ids',
          spec: 'CTL-4',
          message: `Two open requests have the id ${shortJson(id)}.`,
          got: message,
        });
      else if (used.has(id))
        broken.push({
          rule: 'ids-never-again',
          spec: 'CTL-42',
          message: `The host has already used the request_id ${shortJson(id)}.`,
          got: message,
        });
      used.add(id);
      open.add(id);
    } else if (by === 'host' && message['type'] === 'control_cancel_request') open.delete(message['request_id']);
    else if (by === 'agent' && message['type'] === 'control_response') open.delete(answeredId(message));
  }
  return broken;
}

interface Asked {
  readonly request: Message;
  readonly at: number;
  /** How often the request was sent. If a request is sent again with the same id while it is open, each copy may get an answer. */
  times: number;
  answers: number;
  isExcused: boolean;
}

/** Finds requests with no answer or several answers, answers without a request, and answers whose payload has the wrong form. */
function wrongAnswers(
  messages: readonly HostMessage[],
  record: readonly RecordedLine[],
  context: RuleContext,
): BrokenRule[] {
  const asked = new Map<unknown, Asked>();
  const broken: BrokenRule[] = [];
  const cite = (spec: string, message: string, got?: unknown) =>
    broken.push({ rule: 'one-answer', spec, message, got });
  for (const { by, at, message } of messages) {
    if (by === 'agent') note(message, at, asked, context);
    else if (message['type'] === 'control_response') {
      const id = answeredId(message);
      const request = asked.get(id);
      if (request === undefined) {
        cite(
          'CTL-5',
          `The host answered ${shortJson(id)}, but the agent did not send a request with this id.`,
          message,
        );
        continue;
      }
      request.answers += 1;
      if (request.answers > request.times)
        cite('CTL-3', `The host answered the request ${shortJson(id)} more than once.`, message);
      broken.push(
        ...wrongServerAnswer(request.request, message, context.options),
        ...wrongPayload(request.request, message),
      );
    }
  }
  const isUndecided = undecidedBy(context.user, record);
  const end = record.find((line) => 'event' in line && (line.event === 'end-of-input' || line.event === 'gone'));
  const isEarly = !context.isOpen && hasEndedEarly(record, context.prompts);
  for (const [id, { request, at, answers, isExcused }] of asked) {
    const wasEnding = isEarly || (end !== undefined && at > end.at);
    const isOwed = !isExcused && !wasEnding && !isUndecided(request);
    if (answers === 0 && isOwed && context.isComplete && !context.isCutOff) {
      if (isRpcNotification(request)) cite('MCP-9', 'The host did not acknowledge a JSON-RPC notification.', request);
      cite(
        'CTL-3',
        `The host never answered the request ${shortJson(id)} (${shortJson(request['subtype'])}).`,
        request,
      );
    }
  }
  return broken;
}

/** Returns a test for requests about which the user was asked, but has not decided. */
function undecidedBy(user: UserSide | undefined, record: readonly RecordedLine[]): (request: Message) => boolean {
  if (user === undefined) return () => false;
  const questions = askedQuestions(user.events, servedRequests(record), user.answers);
  const open = new Set(questions.filter(({ answer }) => answer === undefined).map(({ served }) => served.request));
  return (request) => open.has(request);
}

function note(message: Message, at: number, asked: Map<unknown, Asked>, { dialogs }: RuleContext): void {
  const { type, request_id: id, request } = message;
  if (type === 'control_request' && isObject(request)) {
    const isForeignDialog =
      request['subtype'] === 'request_user_dialog' && !dialogs.has(String(request['dialog_kind']));
    const before = asked.get(id);
    if (before === undefined) asked.set(id, { request, at, times: 1, answers: 0, isExcused: isForeignDialog });
    else before.times += 1;
  } else if (type === 'control_cancel_request') {
    const cancelled = asked.get(id);
    if (cancelled !== undefined) cancelled.isExcused = true;
  }
}

function wrongPayload(request: Message, message: Message): BrokenRule[] {
  const { response } = message;
  if (!isObject(response) || response['subtype'] !== 'success') return [];
  const subtype = String(request['subtype']);
  const payload = response['response'] ?? {};
  const asked = isObject(request['message']) ? request['message'] : {};
  const answer = isObject(payload) && isObject(payload['mcp_response']) ? payload['mcp_response'] : undefined;
  if (subtype === 'mcp_message' && answer !== undefined && asked['id'] !== undefined) {
    const text = `mcp_response has the id ${shortJson(answer['id'])}, but the request has the id ${shortJson(asked['id'])}.`;
    if (answer['id'] !== asked['id']) return [{ rule: 'json-rpc-id', spec: 'MCP-8', message: text, got: message }];
    if ((answer['result'] === undefined) === (answer['error'] === undefined))
      return [
        { rule: 'json-rpc', spec: 'MCP-7', message: 'mcp_response must contain either result or error.', got: message },
      ];
  }
  const lenient = parseControlAnswer(subtype, payload);
  const parsed = lenient.kind === 'invalid' ? lenient : parseControlAnswer(subtype, payload, 'strict');
  if (parsed.kind !== 'invalid') return [];
  const [issue] = parsed.issues;
  const spec = lenient.kind === 'invalid' ? 'CTL-7' : 'MSG-38';
  const text = `The payload of the answer to ${subtype} is not valid: ${issue?.path.join('.')}: ${issue?.message}.`;
  return [{ rule: 'valid-answers', spec, message: text, got: message }];
}

/** Finds a host that has sent a `keep_alive` for each `keep_alive` of the agent. */
function answeredSigns(messages: readonly HostMessage[]): BrokenRule[] {
  const count = (side: string) =>
    messages.filter(({ by, message }) => by === side && message['type'] === 'keep_alive').length;
  const text = 'The host has answered each keep_alive of the agent with a keep_alive.';
  return count('host') > 0 && count('host') === count('agent')
    ? [{ rule: 'keep-alive', spec: 'FRM-28', message: text }]
    : [];
}

function earlySignal(record: readonly RecordedLine[]): BrokenRule[] {
  const events = record.flatMap((line) => ('event' in line ? [line] : []));
  const [first] = events.filter(({ event, detail }) => event === 'end-of-input' || endsProcess(event, detail));
  if (first === undefined || first.event === 'end-of-input') return [];
  const what = first.event === 'killed' ? 'killed the agent' : 'sent SIGTERM';
  const message = `The host ${what} before it ended the input of the agent.`;
  return [{ rule: 'end-before-signal', spec: 'CLI-26', message, got: first.detail }];
}

function wrongArguments(record: readonly RecordedLine[], { decides }: RuleContext): BrokenRule[] {
  const start = record.find((line) => 'event' in line && line.event === 'start');
  const detail = start !== undefined && 'event' in start ? start.detail : undefined;
  const argv = isObject(detail) && Array.isArray(detail['argv']) ? detail['argv'].map(String) : undefined;
  if (argv === undefined) return [];
  const has = (flag: string, value: string) =>
    argv.includes(`${flag}=${value}`) || argv[argv.indexOf(flag) + 1] === value;
  const isSpoken =
    argv.includes('--verbose') && has('--output-format', 'stream-json') && has('--input-format', 'stream-json');
  const cite = (spec: string, what: string) => [
    { rule: 'arguments', spec, message: `The host started the agent without ${what}: ${argv.join(' ')}.`, got: argv },
  ];
  if (!isSpoken) return cite('CLI-46', 'an argument of the protocol');
  return decides && !has('--permission-prompt-tool', 'stdio') ? cite('PRM-44', '--permission-prompt-tool stdio') : [];
}

/** SIGINT does not count, because some hosts interrupt a turn with it. */
function endsProcess(event: string, detail: unknown): boolean {
  return event === 'killed' || (event === 'signal' && isObject(detail) && detail['signal'] === 'SIGTERM');
}

function answeredId(message: Message): unknown {
  return isObject(message['response']) ? message['response']['request_id'] : undefined;
}

function sentence(reason: string): string {
  return `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`;
}
