import type { ChildProcess, spawn } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import type { System } from './system.ts';

/** A child that does what a test says. */
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

  /** The process ends, and with it its pipes. */
  exits(code: number | null, signal: string | null = null): void {
    this.exitCode = code;
    this.signalCode = signal;
    this.emit('exit', code, signal);
    this.stdout.end();
    this.stderr.end();
    this.stdin.destroy();
  }
}

/** What was asked of a machine. */
export interface FakeSystem extends System {
  readonly spawned: { file: string; args: readonly string[]; options: Record<string, unknown>; child: FakeChild }[];
  /** `pid signal`, in order. */
  readonly signals: string[];
  /** The groups that have members. */
  readonly groups: Set<number>;
}

/** A machine with these files; the value is the text of one, and those named in `plain` may not be executed. */
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
    readText: (path) => files[path] as string,
    spawn: start as unknown as typeof spawn,
    kill(pid, signal) {
      if (!groups.has(-pid)) throw new Error('ESRCH');
      if (signal !== 0) signals.push(`${pid} ${signal}`);
    },
    spawned,
    signals,
    groups,
  };
}
