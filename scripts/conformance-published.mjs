// Runs the conformance suite on published programs and on ours, and writes docs/conformance-results.md: node scripts/conformance-published.mjs [NAME…].
// npm fetches the published agent into a cache of its own. It runs with a dummy key, in a network namespace that has only the loopback device.
// Linux only.
import { nativeAgentByVersion } from './native-agents.mjs';
import { pnpm } from './pnpm.mjs';
import { runIsolated } from './published.mjs';

const TIMEOUT_MS = 1_200_000;

const built = pnpm(['exec', 'turbo', 'run', 'build', '--filter=@proto/tests^...', '--output-logs=errors-only']);
const args = [JSON.stringify(nativeAgentByVersion()), ...process.argv.slice(2)];
process.exitCode = built || runIsolated('conformance/published/main.mjs', args, TIMEOUT_MS);
