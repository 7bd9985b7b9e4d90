import { isObject } from '../json.ts';
import { isMatcher, matchers } from './matchers.ts';

/** The matchers of a pattern that do not exist, such as a misspelt `$contian`: a case with such a pattern is refused when it is compiled. */
export function unknownMatchers(pattern: unknown): string[] {
  if (Array.isArray(pattern)) return pattern.flatMap(unknownMatchers);
  if (!isObject(pattern)) return [];
  const names = Object.keys(pattern).filter(
    (name) => name.startsWith('$') && !(isMatcher(pattern) && matchers.has(name)),
  );
  return [...names, ...Object.values(pattern).flatMap(unknownMatchers)];
}
