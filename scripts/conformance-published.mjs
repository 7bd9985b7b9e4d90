// Runs the conformance suite on published programs and on ours, and writes docs/conformance-results.md: node scripts/conformance-published.mjs [NAME…].
// npm fetches the published agents into a cache of their own. They run with a dummy key, in a network namespace that has only the loopback device.
// Linux only.
import { agentsByVersion } from './native-agents.mjs';
import { pnpm } from './pnpm.mjs';
import { runIsolated } from './published.mjs';

const built = pnpm(['exec', 'turbo', 'run', 'build', '--filter=@proto/tests^...', '--output-logs=errors-only']);
process.exitCode =
  built || runIsolated('conformance/published/main.mjs', [JSON.stringify(agentsByVersion()), ...process.argv.slice(2)]);
