import { posix } from 'node:path';
import { variableOf } from './child-environment.ts';
import type { System } from './system.ts';

// The script marks the child, then reads until this process is gone: the kernel closes the pipe, no matter what ended the process. Then the script
// marks the processes that the child had started before it was marked, while the child is still their parent. An agent that exits at the end of its
// input has one second to do so.
const SCRIPT = `
mark=$0 group=$1
mark() { [ -n "$mark" ] && prlimit --pid "$1" --locks="$mark:"; }
mark_started() {
  for file in $(grep -ls "^PPid:[[:space:]]*$1$" /proc/[0-9]*/status); do
    pid=\${file#/proc/}
    pid=\${pid%/status}
    mark "$pid"
    mark_started "$pid"
  done
}
mark "$group"
read -r _
[ -n "$mark" ] && mark_started "$group"
end() {
  left=1
  kill -s "$1" -- "-$group" && left=0
  if [ -n "$mark" ]; then
    for file in $(grep -ls "^Max file locks  *$mark " /proc/[0-9]*/limits); do
      pid=\${file#/proc/}
      kill -s "$1" "\${pid%/limits}" && left=0
    done
  fi
  return $left
}
sleep 1
end TERM || exit
sleep 1
end KILL && end KILL
`;

export interface ParentWatch {
  /** Fulfils when the watching process is gone. */
  stop(): Promise<void>;
}

/**
 * Starts a small process that outlives this process. On a system without `/bin/sh` no such process is started, and a child can notice only by the end
 * of its input that its parent is gone. Windows needs no such process, because on Windows children belong to a job that ends with their parent.
 *
 * The small process ends the child's process group. On Linux it also ends processes that have left the group but carry the mark: a number that is set
 * as the child's limit for file locks. Linux has ignored this limit since 2.4.25, but passes it on to every process that the child starts. A process
 * keeps the mark even if it gets a new session, another parent or another environment. Setting the mark requires `prlimit` from util-linux.
 */
export function watchParent(group: number, mark: string | undefined, { platform, spawn, env }: System): ParentWatch {
  if (platform === 'win32') return { stop: async () => {} };
  const folders = (variableOf(env, 'PATH', platform) ?? '').split(':').filter((folder) => posix.isAbsolute(folder));
  const watch = spawn('/bin/sh', ['-c', SCRIPT, mark ?? '', String(group)], {
    cwd: '/',
    env: { PATH: [...folders, '/usr/bin', '/bin'].join(':') },
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const gone = new Promise<void>((resolve) => watch.once('error', resolve).once('exit', resolve));
  watch.stdin?.on('error', () => {});
  watch.unref();
  return {
    async stop() {
      watch.ref();
      watch.kill('SIGKILL');
      await gone;
    },
  };
}
