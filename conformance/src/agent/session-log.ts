import { parseJson as readJson } from '@proto/core/framing';
import { isObject } from '@proto/testkit/steps';

import type { OutputLine } from './output-lines.ts';

export type Message = Readonly<Record<string, unknown>>;

/** An event of a process. */
export type SessionEvent = EventTime &
  (
    | { readonly kind: 'sent'; readonly text: string }
    | { readonly kind: 'received'; readonly line: OutputLine; readonly value: unknown }
    | { readonly kind: 'input-ended' }
    | { readonly kind: 'exited'; readonly code: number | null; readonly signal: string | null }
  );

interface EventTime {
  /** In milliseconds since the start of the case. */
  readonly t: number;
  /** How many of these milliseconds the output was not read. Default 0. */
  readonly unreadTime?: number;
}

export interface SessionLog {
  readonly args: readonly string[];
  readonly events: readonly SessionEvent[];
  /** After a signal of the suite, the process may end at any moment. */
  readonly signalled: boolean;
  /** Whether a step of the case sent the signal. If so, a turn may have ended because of the signal. */
  readonly signalledByStep?: boolean;
  /** Whether the suite has closed its end of the output. If so, some messages were not received. */
  readonly unread: boolean;
  /** Whether the case itself specifies how the process ends. */
  readonly endExpected: boolean;
}

/** A message and its position among the events. Positions of different messages differ. */
export interface Placed {
  readonly message: Message;
  readonly at: number;
}

export interface Session extends SessionLog {
  /** Lines that are not objects are left out. */
  readonly received: readonly Placed[];
  readonly sent: readonly Placed[];
  readonly exit: { readonly code: number | null; readonly signal: string | null } | undefined;
  /**
   * Whether the process ended by itself after the end of its input, as after a successful session. Only in this case must everything that was begun
   * be complete.
   */
  readonly isComplete: boolean;
}

export function readSession(log: SessionLog): Session {
  const received = log.events.flatMap((event, at) =>
    event.kind === 'received' && isObject(event.value) ? [{ message: event.value, at }] : [],
  );
  const sent = sentBy(log);
  const exit = log.events.find((event) => event.kind === 'exited');
  const last = received.findLast(({ message }) => message['type'] === 'result')?.message;
  const hasTurn = received.some(({ message }) => message['subtype'] === 'init');
  const isComplete =
    exit !== undefined &&
    !log.signalled &&
    !log.unread &&
    exit.signal === null &&
    log.events.some(({ kind }) => kind === 'input-ended') &&
    (exit.code === 0 || (hasTurn && last?.['is_error'] === true && !hasRefusableLine(log, sent)));
  return { ...log, received, sent, exit, isComplete };
}

/** Whether the agent may have ended because of what it has read. */
function hasRefusableLine({ events }: SessionLog, sent: readonly Placed[]): boolean {
  const isOther = ({ message }: Placed) =>
    message['type'] === 'user' && (member(message, 'message', 'role') ?? 'user') !== 'user';
  const isJson = (line: string) => line.trim() === '' || parseJson(line) !== undefined;
  return sent.some(isOther) || !events.every((event) => event.kind !== 'sent' || event.text.split('\n').every(isJson));
}

/** A line that was sent in parts has the position of its last part. Lines that were sent together have positions between this event and the next. */
function sentBy({ events }: SessionLog): Placed[] {
  const messages = new SentMessages();
  return events.flatMap((event, at) =>
    event.kind === 'sent'
      ? messages.push(event.text).map((message, place, all) => ({ message, at: at + place / all.length }))
      : [],
  );
}

/** In milliseconds since the start of the case, without the time in which the output was not read. */
export function timeOf({ events }: SessionLog, at: number): number {
  const { t, unreadTime = 0 } = events[Math.floor(at)] ?? { t: 0 };
  return t - unreadTime;
}

export class SentMessages {
  #rest = '';

  push(text: string): Message[] {
    const lines = `${this.#rest}${text}`.split('\n');
    this.#rest = lines.at(-1) ?? '';
    const isWhole = isObject(parseJson(this.#rest));
    const whole = isWhole ? lines : lines.slice(0, -1);
    if (isWhole) this.#rest = '';
    return whole.flatMap((line) => {
      const message = parseJson(line.replace(/^\uFEFF/, ''));
      return isObject(message) ? [message] : [];
    });
  }
}

/** Returns `undefined` if the text is not JSON, or is nested deeper than 1000 levels. */
export function parseJson(text: string): unknown {
  try {
    return readJson(text);
  } catch {
    return undefined;
  }
}

export function hasFlag({ args }: SessionLog, flag: string): boolean {
  return args.some((arg) => arg === flag || arg.startsWith(`${flag}=`));
}

export function isResumed({ args }: SessionLog): boolean {
  return args.some((arg) => /^(--resume|-r|--continue|-c)($|=)/.test(arg));
}

/** One value for each time that the flag was given: the next argument, or the text after `=`. */
export function flagValues({ args }: SessionLog, ...names: readonly string[]): readonly string[] {
  return args.flatMap((arg, at) => {
    const name = names.find((each) => arg === each || arg.startsWith(`${each}=`));
    if (name === undefined) return [];
    const value = arg === name ? args[at + 1] : arg.slice(name.length + 1);
    return value === undefined ? [] : [value];
  });
}

/** The names in a list of tools in one argument, separated by commas or blanks. */
export function namesIn(value: string): readonly string[] {
  return value.split(/[\s,]+/).filter(Boolean);
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function member(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((part, name) => (isObject(part) ? part[name] : undefined), value);
}

export function blocksOf(message: Message): Message[] {
  const content = member(message, 'message', 'content');
  return Array.isArray(content) ? content.filter(isObject) : [];
}
