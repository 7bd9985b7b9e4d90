import { compareCommandWidely, type Comparison, permitsLine } from './compare-command.ts';
import { comparePathWidely, type PathPlace } from './compare-path.ts';
import { compareAddress, isDomainPattern } from './domain.ts';
import { textGlob } from './glob.ts';
import { absolutePath, foldCase } from './paths.ts';

/** The text is from an unknown tool's input, and may be a command, a path, an address or anything else. */
export function compareUnknownWidely(pattern: string, text: string, place: PathPlace): Comparison {
  if (isDomainPattern(pattern) && URL.canParse(text)) return compareAddress(pattern, text, true);
  if (textGlob(foldCase(pattern))(foldCase(text))) return 'matches';
  const asPath =
    isPath(pattern) && isPath(text) ? comparePathWidely(pattern, wholePath(text, place), place) : 'differs';
  if (asPath === 'matches') return asPath;
  return compareCommandWidely(pattern, text) === 'matches' ? 'matches' : asPath;
}

function isPath(text: string): boolean {
  return /[/\\.~]/.test(text) && !/\s/.test(text);
}

function wholePath(path: string, { cwd }: PathPlace): string {
  return absolutePath(path, cwd);
}

/** The rule must match no matter whether the text is plain text, a command or a path. */
export function permitsUnknown(pattern: string, text: string): boolean {
  if (isDomainPattern(pattern)) return compareAddress(pattern, text, false) === 'matches';
  if (pattern === text) return true;
  return textGlob(pattern)(text) && permitsLine([pattern], text) && !/(?:^|[/\\\s])\.\.(?:[/\\\s]|$)/.test(text);
}
