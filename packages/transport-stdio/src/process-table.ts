import type { System } from './system.ts';

/** A process, as described in `/proc/PID/stat` on Linux. */
export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** The start time in clock ticks since the system started. `pid` and `start` together identify one process, because a `pid` alone may be reused. */
  readonly start: number;
  /** Whether the process has ended and its parent has not yet noticed. */
  readonly ended: boolean;
}

/** The processes of this machine by process id, except the processes in `without`. Empty on systems without `/proc`. */
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

/** Returns `undefined` if the process is gone. */
export function readProcess(pid: number, { readText }: Pick<System, 'readText'>): ProcessRow | undefined {
  const text = attempt(() => readText(`/proc/${pid}/stat`));
  if (text === undefined) return undefined;
  // The program name precedes these fields, in parentheses, and may itself contain spaces and parentheses.
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

/** The limits of a process, as lines such as `Max file locks  unlimited  unlimited  locks`. Empty if the process is gone. */
export function readLimits(pid: number, { readText }: Pick<System, 'readText'>): string {
  return attempt(() => readText(`/proc/${pid}/limits`)) ?? '';
}

/** Each socket has a unique name. */
export function readStdioSockets(pid: number, { readLink }: Pick<System, 'readLink'>): string[] {
  const targets = [0, 1, 2].map((fd) => attempt(() => readLink(`/proc/${pid}/fd/${fd}`)) ?? '');
  return targets.filter((target) => target.startsWith('socket:'));
}

/** Returns `undefined` if the file cannot be read. A process may end at any moment, or belong to another user. */
function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
