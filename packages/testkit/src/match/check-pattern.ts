import { isObject } from '../json.ts';
import { isMatcher, matchers } from './matchers.ts';

/** Returns the unknown matchers in a pattern, such as a misspelt `$contian`. A case with such a pattern is refused when it is loaded. */
export function unknownMatchers(pattern: unknown): string[] {
  if (Array.isArray(pattern)) return pattern.flatMap(unknownMatchers);
  if (!isObject(pattern)) return [];
  const names = Object.keys(pattern).filter(
    (name) => name.startsWith('$') && !(isMatcher(pattern) && matchers.has(name)),
  );
  return [...names, ...Object.values(pattern).flatMap(unknownMatchers)];
}
