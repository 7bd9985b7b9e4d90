// Runs the conformance suite on published programs and on ours, and writes docs/conformance-results.md: node scripts/conformance-published.mjs [NAME…].
// A complete run takes an hour. You can split it into parts: name some programs for each part, and add `--page` to the last part, which then uses the
// last reports of all other programs. npm fetches the published agents into a separate cache. They run with a dummy key, in a network namespace that
// has only the loopback device. Linux only.
import { ACP_SDK, agentsByVersion, qwenCode, sdkModule } from './native-agents.mjs';
import { pnpm } from './pnpm.mjs';
import { runIsolated } from './published.mjs';

const TIMEOUT_MS = 3_600_000;

const built = pnpm(['exec', 'turbo', 'run', 'build', '--filter=@proto/tests^...', '--output-logs=errors-only']);
const programs = { agents: agentsByVersion(), sdks: { [ACP_SDK]: sdkModule(ACP_SDK) }, qwen: qwenCode() };
const args = [JSON.stringify(programs), ...process.argv.slice(2)];
process.exitCode = built || runIsolated('conformance/published/main.mjs', args, TIMEOUT_MS);
