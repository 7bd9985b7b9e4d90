import type { Writable } from 'node:stream';

/** The levels of a log, the most important first. */
export const LOG_LEVELS = ['error', 'warn', 'info', 'debug'] as const;
/** A level of a log; see {@link LOG_LEVELS}. */
export type LogLevel = (typeof LOG_LEVELS)[number];

/** One line of a log. Never put a token, or the text of a message, into a log. */
export interface LogEntry {
  /** How important the entry is. */
  readonly level: LogLevel;
  /** What happened, for programs, such as `request`. */
  readonly event: string;
  /** What happened, for people: one or more lines, without a line end after the last line. */
  readonly text: string;
  /** Facts for programs: members of the JSON object in addition to `time`, `level` and `event`. Not written with the format `text`. */
  readonly fields?: Readonly<Record<string, unknown>>;
}

/** Which entries are logged, and in which format. */
export interface LogOptions {
  /** Entries of this level and of more important levels are written. Default `info`. */
  readonly level?: LogLevel | undefined;
  /** `text` for people, `json` for log collectors, with one object per line. Default `text`. */
  readonly format?: 'text' | 'json' | undefined;
  /**
   * The variable `DEBUG`: `sjp:*` adds the `debug` lines of every subject, `sjp:store` adds the `debug` lines of one subject, and `-sjp:store`
   * excludes one subject.
   */
  readonly debug?: string | undefined;
  /** The clock for `time`, in milliseconds since 1970. Default: `Date.now`. */
  readonly now?: () => number;
}

/** A log on a stream. */
export interface Log {
  /** Writes an entry, unless its level is less important than the level of the log. */
  write(entry: LogEntry): void;
  /** Whether lines of the level `debug` about a subject are written. Check this before you collect the facts of such a line. */
  debugs(subject: string): boolean;
}

/** Creates a log on a stream, such as stderr. */
export function createLog(out: Writable, { level = 'info', format = 'text', debug = '', now }: LogOptions = {}): Log {
  const most = LOG_LEVELS.indexOf(level);
  const subjects = debugged(debug);
  return {
    write({ level: of, event, text, fields }) {
      // Callers write a line at `debug` only if `debugs` returned true, which also depends on the subject.
      if (of !== 'debug' && LOG_LEVELS.indexOf(of) > most) return;
      if (format === 'text') return void out.write(`${text}\n`);
      const time = new Date((now ?? Date.now)()).toISOString();
      out.write(`${JSON.stringify({ time, level: of, event, ...fields })}\n`);
    },
    debugs: (subject) => level === 'debug' || subjects(`sjp:${subject}`),
  };
}

/** Reads names with `*` for any characters, separated by commas or blanks. A name that begins with `-` is excluded. */
function debugged(debug: string): (name: string) => boolean {
  const names = debug.split(/[\s,]+/).filter((name) => name !== '');
  const matches = (pattern: string, name: string) =>
    new RegExp(`^${pattern.split('*').map(escaped).join('.*')}$`).test(name);
  return (name) =>
    names.some((pattern) => !pattern.startsWith('-') && matches(pattern, name)) &&
    !names.some((pattern) => pattern.startsWith('-') && matches(pattern.slice(1), name));
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
