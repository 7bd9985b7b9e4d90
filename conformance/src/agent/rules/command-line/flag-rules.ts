import { isObject, shortJson } from '@proto/testkit/steps';

import {
  flagValues,
  hasFlag,
  listOf,
  member,
  type Message,
  namesIn,
  parseJson,
  type Session,
} from '../../session-log.ts';
import { isMain } from '../messages/message-rules.ts';
import { type Broken, firstOf, type Rule } from '../rule.ts';
import { isInit } from '../timeline.ts';

export const flagRules: readonly Rule[] = [
  { name: 'flag/tools', spec: 'CLI-45', check: otherTools },
  { name: 'flag/disallowed-tools', spec: 'CLI-8', check: removedTools },
  { name: 'flag/max-turns', spec: 'CLI-9', check: moreRounds },
  { name: 'flag/max-turns-early', spec: 'CLI-9', check: fewerRounds },
  { name: 'flag/max-budget', spec: 'CLI-10', check: dearerTurns },
  { name: 'flag/max-budget-early', spec: 'CLI-10', check: cheaperTurns },
  { name: 'flag/json-schema', spec: 'CLI-11', check: turnsWithoutValue },
  { name: 'flag/permission-mode', spec: 'PRM-39', check: otherModes },
  { name: 'flag/session-id', spec: 'TRN-37', check: otherSessions },
  { name: 'flag/resume', spec: 'TRN-38', check: (session) => otherResumed(session, false) },
  { name: 'flag/fork', spec: 'TRN-39', check: (session) => otherResumed(session, true) },
];

function valueOf(session: Session, ...names: readonly string[]): string | undefined {
  return flagValues(session, ...names)[0];
}

function inits({ received }: Session, check: (message: Message) => string | undefined): Broken | undefined {
  return firstOf(received, ({ message }) => {
    const problem = isInit(message) ? check(message) : undefined;
    return problem === undefined ? undefined : { message: problem, got: message };
  });
}

function otherTools(session: Session): Broken | undefined {
  const value = valueOf(session, '--tools');
  if (value === undefined || value === 'default') return undefined;
  const names = new Set(namesIn(value));
  return inits(session, ({ tools }) => {
    const other = listOf(tools).find((name) => !String(name).startsWith('mcp__') && !names.has(String(name)));
    return other === undefined
      ? undefined
      : `tools in system/init contains ${shortJson(other)}, which --tools does not name.`;
  });
}

function removedTools(session: Session): Broken | undefined {
  const value = valueOf(session, '--disallowedTools', '--disallowed-tools') ?? '';
  const names = value.includes('(') ? [] : namesIn(value);
  return inits(session, ({ tools }) => {
    const left = names.find((name) => listOf(tools).includes(name));
    return left === undefined
      ? undefined
      : `tools in system/init contains ${shortJson(left)}, which --disallowedTools removes.`;
  });
}

function moreRounds(session: Session): Broken | undefined {
  const limit = Number(valueOf(session, '--max-turns') ?? Infinity);
  const replies = new Set<unknown>();
  return firstOf(session.received, ({ message }) => {
    if (isInit(message)) replies.clear();
    const isOwn = member(message, 'message', 'model') === '<synthetic>' || message['error'] !== undefined;
    if (message['type'] === 'assistant' && isMain(message) && !isOwn) replies.add(member(message, 'message', 'id'));
    return replies.size > limit
      ? { message: `The turn has ${replies.size} replies, but --max-turns is ${limit}.`, got: message }
      : undefined;
  });
}

function fewerRounds(session: Session): Broken | undefined {
  const limit = Number(valueOf(session, '--max-turns') ?? 0);
  const replies = new Set<unknown>();
  return firstOf(session.received, ({ message }) => {
    if (isInit(message)) replies.clear();
    if (message['type'] === 'assistant') replies.add(member(message, 'message', 'id'));
    return message['subtype'] === 'error_max_turns' && replies.size < limit
      ? { message: `The turn ended after ${replies.size} replies, but --max-turns is ${limit}.`, got: message }
      : undefined;
  });
}

function cheaperTurns(session: Session): Broken | undefined {
  const limit = Number(valueOf(session, '--max-budget-usd') ?? 0);
  return firstOf(session.received, ({ message }) =>
    message['subtype'] === 'error_max_budget_usd' && Number(message['total_cost_usd']) < limit - 1e-9
      ? { message: `The turn ended because of its cost, but total_cost_usd has not reached ${limit}.`, got: message }
      : undefined,
  );
}

function dearerTurns(session: Session): Broken | undefined {
  const limit = Number(valueOf(session, '--max-budget-usd') ?? Infinity);
  return firstOf(session.received, ({ message }) =>
    message['type'] === 'result' && message['subtype'] === 'success' && Number(message['total_cost_usd']) >= limit
      ? { message: `total_cost_usd has reached ${limit}, but the turn ended with success.`, got: message }
      : undefined,
  );
}

function turnsWithoutValue(session: Session): Broken | undefined {
  const schema = parseJson(valueOf(session, '--json-schema') ?? '');
  const required = listOf(member(schema, 'required')).map(String);
  if (!isObject(schema) || schema['type'] !== 'object') return undefined;
  return firstOf(session.received, ({ message }) => {
    const { type, subtype, is_error: isError, num_turns: rounds, structured_output: value } = message;
    const isAnswered = type === 'result' && subtype === 'success' && isError === false && Number(rounds) > 0;
    if (!isAnswered || message['local_command'] !== undefined || message['origin'] !== undefined) return undefined;
    const isWhole = isObject(value) && required.every((name) => value[name] !== undefined) && satisfies(value, schema);
    return isWhole ? undefined : { message: 'structured_output does not match the schema.', got: message };
  });
}

/** Ignores JSON Schema keywords that are not implemented here. */
function satisfies(value: unknown, schema: unknown): boolean {
  if (!isObject(schema)) return true;
  const { type, properties, items, additionalProperties } = schema;
  if (schema['const'] !== undefined && value !== schema['const']) return false;
  if (Array.isArray(schema['enum']) && !schema['enum'].includes(value)) return false;
  if (typeof type === 'string' && !isOfType(value, type)) return false;
  if (Array.isArray(value)) return value.every((each) => satisfies(each, items));
  if (!isObject(value)) return true;
  const known = isObject(properties) ? properties : {};
  return (
    listOf(schema['required']).every((name) => value[String(name)] !== undefined) &&
    Object.entries(value).every(([name, each]) => satisfies(each, known[name])) &&
    (additionalProperties !== false || Object.keys(value).every((name) => Object.hasOwn(known, name)))
  );
}

function isOfType(value: unknown, type: string): boolean {
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isObject(value);
  return type === 'null' ? value === null : typeof value === type;
}

function otherModes(session: Session): Broken | undefined {
  const value = valueOf(session, '--permission-mode');
  const first = session.received.find(({ message }) => isInit(message));
  const isChanged = session.sent.some(
    ({ message, at }) => at < (first?.at ?? 0) && member(message, 'request', 'subtype') === 'set_permission_mode',
  );
  if (value === undefined || first === undefined || isChanged || hasFlag(session, '--dangerously-skip-permissions'))
    return undefined;
  const mode = first.message['permissionMode'];
  return mode === (value === 'manual' ? 'default' : value)
    ? undefined
    : {
        message: `--permission-mode is ${value}, but system/init has the mode ${shortJson(mode)}.`,
        got: first.message,
      };
}

/** The id of the session, until a new conversation begins. */
function idOf({ received }: Session): unknown {
  return received.find(({ message }) => message['session_id'] !== undefined)?.message['session_id'];
}

function otherSessions(session: Session): Broken | undefined {
  const wanted = valueOf(session, '--session-id');
  const id = idOf(session);
  const isWrong = wanted !== undefined && id !== undefined && id !== wanted;
  return isWrong ? { message: `--session-id is ${wanted}, but the id of the session is ${shortJson(id)}.` } : undefined;
}

function otherResumed(session: Session, isFork: boolean): Broken | undefined {
  const resumed = valueOf(session, '--resume', '-r');
  const id = session.received.some(({ message }) => isInit(message)) ? idOf(session) : undefined;
  if (resumed === undefined || id === undefined || hasFlag(session, '--fork-session') !== isFork) return undefined;
  return (id === resumed) !== isFork
    ? undefined
    : { message: `--resume is ${resumed}, but the id of the session is ${shortJson(id)}.` };
}
