import type { ChildProcess, spawn, spawnSync } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import type { System } from './system.ts';

export class FakeChild extends EventEmitter {
  readonly stdin = new PassThrough();
  readonly stdout = new PassThrough();
  readonly stderr = new PassThrough();
  readonly pid: number | undefined;
  readonly killed: unknown[] = [];
  exitCode: number | null = null;
  signalCode: string | null = null;

  constructor(pid: number | undefined) {
    super();
    this.pid = pid;
  }

  ref(): void {}
  unref(): void {}

  kill(signal: string): boolean {
    this.killed.push(signal);
    this.exits(null, signal);
    return true;
  }

  exits(code: number | null, signal: string | null = null): void {
    this.exitCode = code;
    this.signalCode = signal;
    this.emit('exit', code, signal);
    this.stdout.end();
    this.stderr.end();
    this.stdin.destroy();
  }
}

/** A process of a fake system, with the fields that `/proc` of Linux has. */
export interface FakeProcess {
  readonly parent: number;
  readonly start: number;
  /** Default: a new group. */
  readonly group?: number;
  readonly session?: number;
  readonly state?: string;
  readonly name?: string;
  readonly locks?: string;
  readonly stdio?: string;
}

export interface FakeSystem extends System {
  readonly spawned: { file: string; args: readonly string[]; options: Record<string, unknown>; child: FakeChild }[];
  /** `pid signal`, in order. */
  readonly signals: string[];
  readonly groups: Set<number>;
  /** The processes in `/proc` by id. A signal to a process does not change them. */
  readonly processes: Map<number, FakeProcess>;
  /** The commands that ran to their end, with their arguments. */
  readonly ran: string[];
  readonly atExits: Set<() => void>;
}

/** The files in `plain` are not executable. */
export function fakeSystem(
  machine: Partial<Pick<System, 'platform' | 'env'>> & {
    readonly files?: Readonly<Record<string, string>>;
    readonly plain?: readonly string[];
  } = {},
): FakeSystem {
  const { platform = 'linux', env = {}, files = {}, plain = [] } = machine;
  const spawned: FakeSystem['spawned'] = [];
  const groups = new Set<number>();
  const signals: string[] = [];
  const ran: string[] = [];
  const atExits = new Set<() => void>();
  const processes = new Map<number, FakeProcess>();
  const start = (file: string, args: readonly string[], options: Record<string, unknown>): ChildProcess => {
    const child = new FakeChild(1000 + spawned.length);
    spawned.push({ file, args, options, child });
    groups.add(child.pid as number);
    queueMicrotask(() => child.emit('spawn'));
    return child as unknown as ChildProcess;
  };
  return {
    platform,
    env,
    execPath: platform === 'win32' ? 'C:\\node\\node.exe' : '/opt/node',
    home: () => (platform === 'win32' ? 'C:\\Users\\ada' : '/home/ada'),
    isFolder: (path) => path === '/work',
    isFile: (path) => path in files,
    isExecutable: (path) => path in files && !plain.includes(path),
    readText: (path) => (path.startsWith('/proc/') ? procText(path, processes) : (files[path] as string)),
    readFolder: (path) => (path === '/proc' ? ['self', 'meminfo', ...Array.from(processes.keys(), String)] : []),
    readLink: (path) => processes.get(Number(path.split('/')[2]))?.stdio ?? '/dev/null',
    spawn: start as unknown as typeof spawn,
    spawnSync: ((file: string, args: readonly string[]) =>
      ran.push([file, ...args].join(' '))) as unknown as typeof spawnSync,
    atExit(act) {
      atExits.add(act);
      return () => void atExits.delete(act);
    },
    kill(pid, signal) {
      if (pid < 0 ? !groups.has(-pid) : !processes.has(pid)) throw new Error('ESRCH');
      if (signal !== 0) signals.push(`${pid} ${signal}`);
    },
    spawned,
    signals,
    groups,
    processes,
    ran,
    atExits,
  };
}

function procText(path: string, processes: ReadonlyMap<number, FakeProcess>): string {
  const [, , pid, file] = path.split('/');
  const found = processes.get(Number(pid));
  if (found === undefined) throw new Error('ENOENT');
  const { parent, start, group = pid, session = pid, state = 'S', name = 'sleep', locks = 'unlimited' } = found;
  if (file === 'limits')
    return `Max pending signals 1 1 signals\nMax file locks            ${locks}      unlimited   locks\n`;
  return `${pid} (${name}) ${state} ${parent} ${group} ${session} ${'0 '.repeat(15)}${start} 0\n`;
}
