/** A path with places left open, by segment. */
export type PathPattern = readonly string[];

/** Reads `a.*.b`; a leading `$.` may stand before it. */
export function parsePath(text: string): PathPattern {
  return text.replace(/^\$\.?/, '').split('.');
}

/** Whether a path is one of those. `*` is any one segment, `**` any number of them, none included. */
export function matchesPath(pattern: PathPattern, path: readonly string[]): boolean {
  const [first, ...others] = pattern;
  if (first === undefined) return path.length === 0;
  if (first === '**') return matchesPath(others, path) || (path.length > 0 && matchesPath(pattern, path.slice(1)));
  return path.length > 0 && (first === '*' || first === path[0]) && matchesPath(others, path.slice(1));
}
