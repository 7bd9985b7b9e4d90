import { withVariables } from './child-environment.ts';
import { isPrivateVariable } from './private-variables.ts';

/**
 * Creates an environment of the variables of this process and of those that are set here, for `env` of `spawnAgent`, whose default it is.
 * These variables of this process are left out unless they are set here: `SJP_*`, `NODE_OPTIONS`, and what an agent that started this
 * process says about its own session, such as `CLAUDECODE`, `CLAUDE_CODE_ENTRYPOINT` or `CLAUDE_CODE_SESSION_ACCESS_TOKEN`.
 */
export function inheritEnvironment(
  set: Readonly<Record<string, string>> = {},
  from: Readonly<Record<string, string | undefined>> = process.env,
): Record<string, string | undefined> {
  const inherited = Object.entries(from).filter(([name]) => !isPrivateVariable(name));
  return withVariables(inherited, set);
}
