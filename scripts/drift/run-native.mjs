// Runs the native agent of a version in the scripted scenarios, in a network namespace that has only the loopback device.
import { nativeAgent } from '../native-agents.mjs';
import { pnpm } from '../pnpm.mjs';
import { runIsolated } from '../published.mjs';
import { DriftError, readPackage } from './published-package.mjs';

/**
 * Fetches the native agent, and runs it. Returns 1 if the agent sends something that no schema names, or if a scenario fails.
 * @param {string} asked a version or a tag of the package that npm knows
 * @param {readonly string[]} scenarios all if empty
 */
export function runNative(asked, scenarios) {
  // A folder or a tarball of the package does not contain its native agent: npm has a separate package of the agent for each platform.
  const agent = nativeAgent(readPackage(asked).version);
  const packages = ['--filter=@proto/tests^...', '--filter=@proto/cli'];
  if (pnpm(['exec', 'turbo', 'run', 'build', ...packages, '--output-logs=errors-only']) !== 0)
    throw new DriftError('The build failed.');
  return runIsolated('interop-claude/main.mjs', [agent, ...scenarios]);
}
