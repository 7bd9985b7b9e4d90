import { type ParseMode, parseMessage } from '@proto/core/messages';
import { isObject, shortJson } from '@proto/testkit/steps';

import { blocksOf, hasFlag, member, type Message, type Session } from '../../session-log.ts';
import { type Broken, firstOf, type Rule } from '../rule.ts';

const WITHOUT_UUID = new Set([
  'control_request',
  'control_response',
  'control_cancel_request',
  'keep_alive',
  'transcript_mirror',
]);

export const messageRules: readonly Rule[] = [
  {
    name: 'wire/type',
    spec: 'MSG-1',
    check: (session) =>
      each(session, (message) =>
        typeof message['type'] === 'string'
          ? undefined
          : { message: 'A message lacks a type, or its type is not a string.', got: message },
      ),
  },
  { name: 'wire/schema-valid', spec: 'MSG-2', check: (session) => each(session, (one) => schemaIssue(one, 'lenient')) },
  {
    name: 'wire/optional-members',
    spec: 'MSG-38',
    check: (session) =>
      each(session, (one) => (schemaIssue(one, 'lenient') === undefined ? schemaIssue(one, 'strict') : undefined)),
  },
  {
    name: 'wire/uuid',
    spec: 'MSG-4',
    check: (session) =>
      each(session, (message) =>
        WITHOUT_UUID.has(String(message['type'])) || typeof message['uuid'] === 'string'
          ? undefined
          : { message: `A message of type ${String(message['type'])} has no uuid.`, got: message },
      ),
  },
  {
    name: 'wire/session-id',
    spec: 'MSG-5',
    check: (session) =>
      each(session, (message) =>
        message['uuid'] === undefined || typeof message['session_id'] === 'string'
          ? undefined
          : { message: `A message of type ${String(message['type'])} has no session_id.`, got: message },
      ),
  },
  { name: 'wire/unique-uuid', spec: 'MSG-6', check: uniqueUuids },
  { name: 'wire/one-session', spec: 'MSG-7', check: oneSession },
  {
    name: 'result/error-flag',
    spec: 'MSG-26',
    check: (session) =>
      each(session, (message) =>
        message['type'] === 'result' && String(message['subtype']).startsWith('error_') && message['is_error'] !== true
          ? { message: `A result with the subtype ${String(message['subtype'])} lacks is_error: true.`, got: message }
          : undefined,
      ),
  },
  { name: 'result/index', spec: 'MSG-28', check: resultIndexes },
  { name: 'result/costs', spec: 'MSG-29', check: costs },
  {
    name: 'partial/only-with-flag',
    spec: 'MSG-19',
    check: (session) =>
      hasFlag(session, '--include-partial-messages')
        ? undefined
        : each(session, (message) =>
            message['type'] === 'stream_event'
              ? { message: 'A stream_event was sent without --include-partial-messages.', got: message }
              : undefined,
          ),
  },
  {
    name: 'mirror/only-with-flag',
    spec: 'TRN-45',
    check: (session) =>
      hasFlag(session, '--session-mirror')
        ? undefined
        : each(session, (message) =>
            message['type'] === 'transcript_mirror'
              ? { message: 'A transcript_mirror was sent without --session-mirror.', got: message }
              : undefined,
          ),
  },
  { name: 'mirror/once', spec: 'TRN-50', check: repeatedEntries },
  {
    name: 'suggestions/only-on-request',
    spec: 'TRN-36',
    check: (session) =>
      session.sent.some(({ message }) => member(message, 'request', 'promptSuggestions') === true) ||
      hasFlag(session, '--prompt-suggestions')
        ? undefined
        : each(session, (message) =>
            message['type'] === 'prompt_suggestion'
              ? {
                  message: 'A prompt_suggestion was sent, but initialize did not contain promptSuggestions.',
                  got: message,
                }
              : undefined,
          ),
  },
];

function each({ received }: Session, check: (message: Message) => Broken | undefined): Broken | undefined {
  return firstOf(received, ({ message }) => check(message));
}

/** Entries without an id, such as titles, may be repeated. */
function repeatedEntries(session: Session): Broken | undefined {
  const seen = new Set<unknown>();
  return each(session, ({ type, entries }) => {
    if (type !== 'transcript_mirror' || !Array.isArray(entries)) return undefined;
    return firstOf(entries, (entry) => {
      const uuid = member(entry, 'uuid');
      if (uuid === undefined) return undefined;
      if (seen.has(uuid))
        return { message: `Two transcript_mirror messages contain the entry ${shortJson(uuid)}.`, got: entry };
      seen.add(uuid);
      return undefined;
    });
  });
}

/** Returns what makes a message invalid. `lenient` checks only required members, and `strict` also checks optional members. */
function schemaIssue(message: Message, mode: ParseMode): Broken | undefined {
  if (typeof message['type'] !== 'string') return undefined;
  const parsed = parseMessage(message, { direction: 'from-agent', mode });
  if (parsed.kind !== 'invalid') return undefined;
  // An answer to a request without an id has no id either. Another rule compares the ids.
  const isAnswer = message['type'] === 'control_response';
  if (isAnswer && parsed.issues.every(({ path }) => path.join('.') === 'response.request_id')) return undefined;
  const issues = parsed.issues.map(({ path, message: text }) => `${path.join('.')}: ${text}`).join('; ');
  const kind = [message['type'], message['subtype']].filter((part) => typeof part === 'string').join('/');
  return { message: `A message of the kind ${kind} is not valid: ${issues}.`, got: message };
}

/** Only echoes may have the same `uuid`s. */
function promptUuids({ sent }: Session): Set<unknown> {
  return new Set(sent.flatMap(({ message }) => (message['type'] === 'user' ? [message['uuid']] : [])));
}

function uniqueUuids(session: Session): Broken | undefined {
  const prompts = promptUuids(session);
  const seen = new Set<unknown>();
  return each(session, (message) => {
    const { type, uuid } = message;
    if (typeof uuid !== 'string') return undefined;
    if (type === 'user' && message['isReplay'] === true && (prompts.has(uuid) || !seen.has(uuid))) return undefined;
    if (prompts.has(uuid)) return { message: 'A message that is not an echo has the uuid of a prompt.', got: message };
    if (seen.has(uuid)) return { message: `Two messages have the uuid ${uuid}.`, got: message };
    seen.add(uuid);
    return undefined;
  });
}

function oneSession(session: Session): Broken | undefined {
  let id: unknown;
  // After a reset, some messages of the old session may still arrive.
  let mayChange = false;
  return each(session, (message) => {
    const { type, session_id: own } = message;
    if (own === undefined || WITHOUT_UUID.has(String(type))) return undefined;
    id ??= own;
    if (own !== id && mayChange) {
      id = own;
      mayChange = false;
    }
    if (own !== id)
      return { message: `The session_id changed from ${shortJson(id)} to ${shortJson(own)}.`, got: message };
    if (type === 'conversation_reset') mayChange = true;
    return undefined;
  });
}

function resultIndexes(session: Session): Broken | undefined {
  let next = 0;
  return each(session, (message) => {
    if (message['type'] !== 'result') return undefined;
    const index = message['result_index'];
    const expected = next++;
    return index === undefined || index === expected
      ? undefined
      : { message: `result_index is ${shortJson(index)}, but must be ${expected}.`, got: message };
  });
}

function costs(session: Session): Broken | undefined {
  let last = 0;
  let usage: unknown = {};
  return each(session, (message) => {
    if (message['type'] === 'conversation_reset') [last, usage] = [0, {}];
    const cost = message['total_cost_usd'];
    if (message['type'] !== 'result' || typeof cost !== 'number' || message['startup_failure_reason'] !== undefined)
      return undefined;
    if (cost < last) return { message: `total_cost_usd decreased from ${last} to ${cost}.`, got: message };
    last = cost;
    const before = usage;
    const lower = Object.keys(isObject(before) ? before : {}).find((model) =>
      FIGURES.some((name) => figure(message['modelUsage'], model, name) < figure(before, model, name)),
    );
    usage = message['modelUsage'];
    return lower === undefined
      ? undefined
      : { message: `A number in modelUsage for the model "${lower}" decreased.`, got: message };
  });
}

const FIGURES = ['inputTokens', 'outputTokens', 'cacheReadInputTokens', 'cacheCreationInputTokens', 'costUSD'];

function figure(usage: unknown, model: string, name: string): number {
  const value = member(usage, model, name);
  return typeof value === 'number' ? value : 0;
}

export function isMain(message: Message): boolean {
  return message['parent_tool_use_id'] === null || message['parent_tool_use_id'] === undefined;
}

export function blocksOfType(message: Message, type: string): Message[] {
  return blocksOf(message).filter((block) => block['type'] === type);
}
