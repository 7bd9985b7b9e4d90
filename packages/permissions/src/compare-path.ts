import type { Comparison } from './compare-command.ts';
import { pathGlob } from './glob.ts';
import { anchorPattern, foldCase, pathWithin } from './paths.ts';
import { isProcessPath } from './process-paths.ts';

/** The folders that path patterns are relative to. */
export interface PathPlace {
  readonly cwd: string;
  readonly home?: string | undefined;
}

/** A slash at the end of the pattern stands for the content of a folder. */
export function permitsPath(pattern: string, path: string, { cwd, home }: PathPlace): boolean {
  const { folder, rest } = anchorPattern(pattern, cwd, home) ?? {};
  const within = folder === undefined || isProcessPath(path) ? undefined : pathWithin(path, folder);
  if (within === undefined || rest === undefined) return false;
  return rest === '' || pathGlob(rest)(within);
}

/**
 * Compares as in a `.gitignore`: a pattern without a slash matches at any depth, and a pattern for a folder also matches its content. Case is
 * ignored.
 */
export function comparePathWidely(pattern: string, path: string, place: PathPlace): Comparison {
  const { folder, rest } = anchorWidely(pattern, place) ?? {};
  // It is unknown what `..` after a wildcard means, so such a rule matches.
  if (folder === undefined || rest === undefined || /(?:^|\/)\.\.(?:\/|$)/.test(rest)) return 'matches';
  const otherwise = isProcessPath(path) ? 'undecided' : 'differs';
  const within = pathWithin(foldCase(path), foldCase(folder));
  if (within === undefined) return otherwise;
  const named = foldCase(rest.replace(/\/$/, ''));
  const globs = [named, `${named}/**`].map(pathGlob);
  // A path with a slash at its end stands for a search in a folder. The content of the folder is part of the call.
  const isNamed = named === '' || globs.some((each) => each(within) || each(`${within}/`));
  return isNamed ? 'matches' : otherwise;
}

function anchorWidely(pattern: string, { cwd, home }: PathPlace) {
  const isAnywhere = pattern !== '~' && !/[/\\]./.test(pattern);
  return anchorPattern(isAnywhere ? `./**/${pattern}` : pattern, cwd, home);
}

/** A name that no pattern contains, and that stands for any file in a folder. */
const ANYTHING = '\u{10ffff}/\u{10ffff}/\u{10ffff}';

/** The rule must match the folder and everything that the folder may contain. */
export function permitsSearch(pattern: string, folder: string, place: PathPlace): boolean {
  const isExact = !/[*?]/.test(pattern) && permitsPath(pattern, folder, place);
  return isExact || (permitsPath(pattern, folder, place) && permitsPath(pattern, `${folder}/${ANYTHING}`, place));
}

/** The pattern matches the search if it matches the folder. The result is undecided if the pattern may match something in the folder. */
export function compareSearchWidely(pattern: string, folder: string, place: PathPlace): Comparison {
  const compared = comparePathWidely(pattern, folder, place);
  if (compared !== 'differs') return compared;
  const anchor = anchorWidely(pattern, place);
  if (anchor === undefined) return 'matches';
  const isFixed = !/[*?]/.test(anchor.rest);
  const top = foldCase(
    isFixed ? `${anchor.folder === '/' ? '' : anchor.folder}/${anchor.rest.replace(/\/$/, '')}` : anchor.folder,
  );
  const searched = foldCase(folder);
  const isAbove = pathWithin(top, searched) !== undefined;
  const isBelow = !isFixed && pathWithin(searched, top) !== undefined;
  return isAbove || isBelow ? 'undecided' : 'differs';
}
