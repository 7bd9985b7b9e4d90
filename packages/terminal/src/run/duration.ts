const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A duration with its unit, such as `500ms`, `15s`, `2m`, `1h` or `7d`, in milliseconds; undefined where it is none. */
export function parseDuration(text: string): number | undefined {
  const [, amount, unit = ''] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(text) ?? [];
  return amount === undefined ? undefined : Number(amount) * (UNITS[unit] as number);
}

/** What a flag says, in milliseconds; undefined where it was not given. Throws for what is no duration. */
export function durationOf(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const ms = parseDuration(text);
  if (ms === undefined) throw new Error(`${flag} takes a duration such as 15s or 2m, not "${text}"`);
  return ms;
}
