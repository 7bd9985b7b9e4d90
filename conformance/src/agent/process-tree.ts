import { readdirSync, readFileSync } from 'node:fs';

/** Identified by its number and start time, because numbers are reused. */
interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly start: string;
  readonly ended: boolean;
}

/** The processes that a process has started, directly or through others, as listed in `/proc` on Linux. Empty on other systems. */
export function processesBelow(root: number): Process[] {
  const all = readProcesses();
  const found: Process[] = [];
  const look = (parent: number) => {
    for (const process of all) {
      if (process.parent !== parent || found.includes(process)) continue;
      found.push(process);
      look(process.pid);
    }
  };
  look(root);
  return found;
}

export function stillRunning(processes: readonly Process[]): Process[] {
  return processes.filter(({ pid, start }) => {
    const now = readProcess(String(pid));
    return now !== undefined && now.start === start && !now.ended;
  });
}

/** Kills the given processes that are still running, and the group that `root` leads. */
export function killAll(root: number, processes: readonly Process[]): void {
  for (const pid of [-root, root, ...stillRunning(processes).map((process) => process.pid)]) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // The process or group is gone.
    }
  }
}

function readProcesses(): Process[] {
  try {
    return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (readProcess(name) ?? []) : []));
  } catch {
    return [];
  }
}

function readProcess(name: string): Process | undefined {
  try {
    const text = readFileSync(`/proc/${name}/stat`, 'utf8');
    // The program name is first, in parentheses, and may itself contain blanks and parentheses.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const [state = '', parent] = fields;
    return { pid: Number(name), parent: Number(parent), start: fields[19] ?? '', ended: /[ZX]/.test(state) };
  } catch {
    return undefined;
  }
}
