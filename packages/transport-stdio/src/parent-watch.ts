import type { System } from './system.ts';

// It reads until this process is gone: the kernel closes the pipe, however that came. An agent that leaves at the end of its input
// has a second to do so.
const SCRIPT = 'read -r _; sleep 1; kill -s TERM -- "-$0" || exit; sleep 1; kill -s KILL -- "-$0"';

/** Ends a group of processes when this process dies. */
export interface ParentWatch {
  /** No longer. Fulfils when nothing of the watch is left. */
  stop(): Promise<void>;
}

/**
 * Starts a small process that outlives this one. Where there is no `/bin/sh` the end of its input alone tells a child. On Windows the
 * system does it: children are in a job that ends with their parent.
 */
export function watchParent(group: number, { platform, spawn, env }: System): ParentWatch {
  if (platform === 'win32') return { stop: async () => {} };
  const watch = spawn('/bin/sh', ['-c', SCRIPT, String(group)], {
    cwd: '/',
    env: { PATH: env['PATH'] },
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
