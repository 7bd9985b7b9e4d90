// Drives the native agent with our host, and older agents as workers of our ingress, against a scripted Messages API:
// node scripts/interop-claude.mjs [SCENARIO…]
// npm fetches the published agents into a separate cache. They run with a dummy key, in a network namespace that has only the loopback device.
// Linux only.
import { nativeAgent, olderAgents } from './native-agents.mjs';
import { pnpm } from './pnpm.mjs';
import { runIsolated } from './published.mjs';

const built = pnpm([
  'exec',
  'turbo',
  'run',
  'build',
  '--filter=@proto/tests^...',
  '--filter=@proto/cli',
  '--output-logs=errors-only',
]);
process.exitCode =
  built ||
  runIsolated('interop-claude/main.mjs', [
    `--workers=${olderAgents().join()}`,
    nativeAgent(),
    ...process.argv.slice(2),
  ]);
