const MAX_ALTERNATIVES = 64;
const WILDCARD = /[*?[\]{}()!+@|\\]/;

/**
 * Returns folders that together contain every file that a file pattern can match, such as `src` for `src/*.ts`. The folders are relative to the
 * folder of the search. If the folders cannot be determined, for example because of `..` after a wildcard, the result includes the root `/`.
 */
export function foldersOfPattern(pattern: string): readonly string[] {
  const alternatives = expandBraces(pattern);
  return alternatives === undefined ? ['/'] : [...new Set(alternatives.map(folderBeforeWildcard))];
}

function folderBeforeWildcard(pattern: string): string {
  const segments = pattern.split('/');
  const first = segments.findIndex((segment) => WILDCARD.test(segment));
  if (first === -1) return pattern;
  const rest = segments.slice(first);
  if (rest.some(mayMatchParentFolder)) return '/';
  // In some kinds of patterns, the first character can make the pattern absolute.
  if (first === 0 && /^[!(@+\\]/.test(pattern)) return '/';
  return pattern.slice(0, segments.slice(0, first).join('/').length) + (first === 1 && segments[0] === '' ? '/' : '');
}

function mayMatchParentFolder(segment: string): boolean {
  const literal = segment.replace(/\[[^\]]*\]|[*?[\](){}!+@|\\]/g, '');
  return (
    segment === '..' ||
    (segment.includes('\\') && segment.includes('..')) ||
    (/[(|\\[]/.test(segment) && /^\.*$/.test(literal) && segment.includes('.')) ||
    /^\.[*?.]*$/.test(segment)
  );
}

/** Returns `undefined` if there are too many alternatives or if a brace is not closed. */
function expandBraces(pattern: string): readonly string[] | undefined {
  const done: string[] = [];
  const open = [pattern];
  for (let text = open.pop(); text !== undefined; text = open.pop()) {
    const braces = /\{([^{}]*)\}/.exec(text);
    if (braces === null) {
      if (/[{}]/.test(text)) return undefined;
      done.push(text);
    } else {
      const [before, after] = [text.slice(0, braces.index), text.slice(braces.index + braces[0].length)];
      // `{1..3}` is a range. A range of numbers expands to texts without dots and slashes, but a range of characters may contain them.
      const isRange = /^-?\d+\.\.-?\d+(?:\.\.-?\d+)?$/.test(braces[1] ?? '');
      if (!isRange && /\.\./.test(braces[1] ?? '')) return undefined;
      for (const each of isRange ? ['?'] : (braces[1] ?? '').split(',')) open.push(before + each + after);
    }
    if (done.length + open.length > MAX_ALTERNATIVES) return undefined;
  }
  return done;
}
