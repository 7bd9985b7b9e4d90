import { execFileSync } from 'node:child_process';

export interface ListedProcess {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly command: string;
}

/** The running processes. Zombies are not included. */
export function runningProcesses(): ListedProcess[] {
  const rows = execFileSync('ps', ['-eo', 'pid=,ppid=,pgid=,stat=,args='], { encoding: 'utf8' }).trim().split('\n');
  return rows.flatMap((row) => {
    const [pid, parent, group, state = '', ...command] = row.trim().split(/\s+/);
    if (state.startsWith('Z')) return [];
    return [{ pid: Number(pid), parent: Number(parent), group: Number(group), command: command.join(' ') }];
  });
}

export function membersOf(group: number | undefined): number[] {
  return runningProcesses().flatMap((listed) => (listed.group === group ? [listed.pid] : []));
}
