import { ProtocolError } from '../errors.ts';
import { isRecord } from './control-frames.ts';
import type { SessionItem, SessionMalformed } from './unread.ts';

/**
 * What an agent does with a line:
 * - `accepted`: the line has an effect
 * - `answered`: a control response answers the line
 * - `ignored`: nothing happens
 * - `fatal`: the agent reports the reason and ends
 */
export type StdinReaction = 'accepted' | 'answered' | 'ignored' | 'fatal';

interface StdinRule {
  readonly reaction: StdinReaction;
  /** The error text of a fatal line. `{type}`, `{chars}` and `{role}` are replaced. No other part of the line is shown. */
  readonly text?: string;
}

/**
 * What an agent does with each kind of line, as in published agents. Published agents end after a line that does not parse, a `user` message with a
 * wrong role or a request without a body, because a wrong transcript cannot be repaired later.
 */
export const STDIN_RULES = {
  'not-json': {
    reaction: 'fatal',
    text: 'Error parsing streaming input line (type={type}, {chars} chars): SyntaxError',
  },
  null: { reaction: 'fatal', text: 'Error parsing streaming input line (type={type}, {chars} chars): TypeError' },
  'too-large': { reaction: 'fatal' },
  'not-an-object': { reaction: 'ignored' },
  'no-type': { reaction: 'ignored' },
  'too-deep': { reaction: 'ignored' },
  user: { reaction: 'accepted' },
  'user-of-another-role': { reaction: 'fatal', text: "Expected message role 'user', got '{role}'" },
  assistant: { reaction: 'accepted' },
  control_request: { reaction: 'answered' },
  'control_request-without-request': { reaction: 'fatal', text: 'Missing request on control_request' },
  control_response: { reaction: 'accepted' },
  'control_response-without-response': { reaction: 'ignored' },
  control_cancel_request: { reaction: 'accepted' },
  keep_alive: { reaction: 'ignored' },
  update_environment_variables: { reaction: 'ignored' },
  system: { reaction: 'ignored' },
  result: { reaction: 'ignored' },
  'unknown-type': { reaction: 'ignored' },
} as const satisfies Readonly<Record<string, StdinRule>>;

export type StdinKind = keyof typeof STDIN_RULES;

export interface StdinVerdict {
  readonly kind: StdinKind;
  readonly reaction: StdinReaction;
  readonly error?: Error;
}

/** Classifies an item that an agent reads. Valid control frames are not passed to this function, because the session serves them. */
export function classifyInput(item: SessionItem): StdinVerdict {
  const kind = kindOf(item);
  const { reaction, text }: StdinRule = STDIN_RULES[kind];
  if (reaction !== 'fatal') return { kind, reaction };
  const cause = item.kind === 'malformed' ? item.error : undefined;
  if (text === undefined) return { kind, reaction, error: cause ?? new ProtocolError('invalid-message', kind) };
  const issues = ProtocolError.is(cause) ? cause.issues : kind === 'user-of-another-role' ? ROLE_ISSUES : [];
  return { kind, reaction, error: new ProtocolError('invalid-message', fill(text, item), { issues, cause }) };
}

const ROLE_ISSUES = [{ path: ['message', 'role'], message: "must be 'user'" }];

function kindOf(item: SessionItem): StdinKind {
  if (item.kind === 'malformed') return kindOfMalformed(item);
  if (item.kind !== 'message') return 'unknown-type';
  const { type } = item.message;
  if (type === 'user') return roleOf(item) === 'user' ? 'user' : 'user-of-another-role';
  return isKnownType(type) ? type : 'unknown-type';
}

function kindOfMalformed({ reason, error }: SessionMalformed): StdinKind {
  if (reason !== undefined) return reason;
  if (!ProtocolError.is(error)) return 'too-large';
  return error.issues[0]?.path[0] === 'request'
    ? 'control_request-without-request'
    : 'control_response-without-response';
}

function roleOf(item: SessionItem): unknown {
  const body = item.kind === 'message' ? item.message['message'] : undefined;
  return isRecord(body) ? body['role'] : undefined;
}

function fill(text: string, item: SessionItem): string {
  const { excerpt = '', length = 0 } = item.kind === 'malformed' ? item : {};
  return text
    .replace('{type}', typeIn(excerpt))
    .replace('{chars}', String(length))
    .replace('{role}', () => shown(roleOf(item)));
}

// `String(role)` is not used, because it may throw for an object from the peer.
function shown(role: unknown): string {
  return typeof role === 'string' ? role : role === undefined ? 'undefined' : typeof role;
}

// This list does not contain the names of all rules: a message whose type is the text `null` or `not-json` has an unknown type.
const KNOWN_TYPES = [
  'user',
  'assistant',
  'control_request',
  'control_response',
  'control_cancel_request',
  'keep_alive',
  'update_environment_variables',
  'system',
  'result',
] as const satisfies readonly StdinKind[];

function isKnownType(type: string): type is (typeof KNOWN_TYPES)[number] {
  return (KNOWN_TYPES as readonly string[]).includes(type);
}

/** Only known types are named, so that no part of the line appears in an error. */
function typeIn(excerpt: string): string {
  const type = /"type"\s*:\s*"(\w+)"/.exec(excerpt)?.[1];
  return type !== undefined && isKnownType(type) ? type : 'unknown';
}
