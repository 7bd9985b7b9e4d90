/** `*` matches one segment, and `**` matches any number of segments, including none. */
export type PathPattern = readonly string[];

/** Parses a path pattern such as `a.*.b` or `$.a.*.b`. */
export function parsePath(text: string): PathPattern {
  return text.replace(/^\$\.?/, '').split('.');
}

export function matchesPath(pattern: PathPattern, path: readonly string[]): boolean {
  const [first, ...others] = pattern;
  if (first === undefined) return path.length === 0;
  if (first === '**') return matchesPath(others, path) || (path.length > 0 && matchesPath(pattern, path.slice(1)));
  return path.length > 0 && (first === '*' || first === path[0]) && matchesPath(others, path.slice(1));
}
