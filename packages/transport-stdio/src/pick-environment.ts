/**
 * An environment of the variables on an allow-list, whatever the case of their names (Windows writes `Path`, proxies are written both
 * ways), and of those that are set here. For `env` of `spawnAgent`; an agent needs `PATH` and `HOME` at least, and behind a
 * proxy `NETWORK_VARIABLES`.
 */
export function pickEnvironment(
  names: readonly string[],
  set: Readonly<Record<string, string>> = {},
  from: Readonly<Record<string, string | undefined>> = process.env,
): Record<string, string | undefined> {
  const allowed = new Set(names.map((name) => name.toUpperCase()));
  const picked = Object.entries(from).filter(([name]) => allowed.has(name.toUpperCase()));
  return { ...Object.fromEntries(picked), ...set };
}
