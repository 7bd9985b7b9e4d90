import { withVariables } from './child-environment.ts';
import { isPrivateVariable } from './private-variables.ts';

/**
 * Creates an environment of the variables on an allow-list, whatever the case of their names (Windows writes `Path`, proxies are written
 * both ways), and of those that are set here. For `env` of `spawnAgent`; an agent needs `PATH` and `HOME` at least, and behind a
 * proxy `NETWORK_VARIABLES`. `AGENT_VARIABLES` is a list for agents that clients elsewhere use.
 *
 * A name that ends with `*` stands for every variable that begins so, but for those that `inheritEnvironment` leaves out; these must be
 * named in full.
 */
export function pickEnvironment(
  names: readonly string[],
  set: Readonly<Record<string, string>> = {},
  from: Readonly<Record<string, string | undefined>> = process.env,
): Record<string, string | undefined> {
  const allowed = new Set(names.map((name) => name.toUpperCase()));
  const beginnings = [...allowed].filter((name) => name.endsWith('*')).map((name) => name.slice(0, -1));
  const picked = Object.entries(from).filter(([key]) => {
    const name = key.toUpperCase();
    if (allowed.has(name)) return true;
    return !isPrivateVariable(name) && beginnings.some((beginning) => name.startsWith(beginning));
  });
  return withVariables(picked, set);
}
