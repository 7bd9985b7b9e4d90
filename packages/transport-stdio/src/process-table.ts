import type { System } from './system.ts';

/** A process, as Linux tells it in `/proc/PID/stat`. */
export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  /** The number of the process group it is in. */
  readonly group: number;
  /** The number of the session it is in. */
  readonly session: number;
  /** When it started, in clock ticks since the system did. With it, `pid` names one process for ever: numbers are used again. */
  readonly start: number;
  /** It has ended, and its parent has not noticed yet. */
  readonly ended: boolean;
}

/** The processes of this machine by their numbers, but for some; empty where `/proc` tells none. */
export function readProcesses(
  system: Pick<System, 'readFolder' | 'readText'>,
  without: ReadonlySet<number>,
): Map<number, ProcessRow> {
  const rows = new Map<number, ProcessRow>();
  for (const name of attempt(() => system.readFolder('/proc')) ?? []) {
    const pid = Number(name);
    const row = Number.isSafeInteger(pid) && !without.has(pid) ? readProcess(pid, system) : undefined;
    if (row !== undefined) rows.set(row.pid, row);
  }
  return rows;
}

/** One process; undefined where it is gone. */
export function readProcess(pid: number, { readText }: Pick<System, 'readText'>): ProcessRow | undefined {
  const text = attempt(() => readText(`/proc/${pid}/stat`));
  if (text === undefined) return undefined;
  // The name of the program comes first, in parentheses, and may hold blanks and parentheses itself.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state = '', parent, group, session] = fields;
  const start = Number(fields[19]);
  if (!Number.isSafeInteger(start)) return undefined;
  return {
    pid,
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    start,
    ended: /[ZX]/.test(state),
  };
}

/** What a process is held to; a text such as `Max file locks  unlimited  unlimited  locks` in each line. Empty where it is gone. */
export function readLimits(pid: number, { readText }: Pick<System, 'readText'>): string {
  return attempt(() => readText(`/proc/${pid}/limits`)) ?? '';
}

/** The names of the sockets that are stdin, stdout and stderr of a process. No two sockets have the same name. */
export function readStdioSockets(pid: number, { readLink }: Pick<System, 'readLink'>): string[] {
  const targets = [0, 1, 2].map((fd) => attempt(() => readLink(`/proc/${pid}/fd/${fd}`)) ?? '');
  return targets.filter((target) => target.startsWith('socket:'));
}

/** A process may end at any moment, and some are none of our business. */
function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
