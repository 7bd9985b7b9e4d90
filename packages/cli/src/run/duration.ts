const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** A duration with its unit, such as `500ms`, `15s`, `2m` or `1h`, in milliseconds; undefined where it is none. */
export function parseDuration(text: string): number | undefined {
  const [, amount, unit = ''] = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(text) ?? [];
  return amount === undefined ? undefined : Number(amount) * (UNITS[unit] as number);
}
