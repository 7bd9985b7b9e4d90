import type { Comparison } from './compare-command.ts';
import { pathGlob } from './glob.ts';
import { anchorPattern, foldCase, pathWithin } from './paths.ts';
import { isProcessPath } from './process-paths.ts';

/** The folders in which patterns of paths begin. */
export interface PathPlace {
  readonly cwd: string;
  readonly home?: string | undefined;
}

/** Whether a pattern matches a path exactly, from the folder in which the pattern begins. A slash at its end stands for the content of a folder. */
export function permitsPath(pattern: string, path: string, { cwd, home }: PathPlace): boolean {
  const { folder, rest } = anchorPattern(pattern, cwd, home) ?? {};
  const within = folder === undefined || isProcessPath(path) ? undefined : pathWithin(path, folder);
  if (within === undefined || rest === undefined) return false;
  return rest === '' || pathGlob(rest)(within);
}

/**
 * Compares a pattern with a path as in a `.gitignore`: at any depth without a slash, and a folder with its content. Ignores upper and lower
 * case.
 */
export function comparePathWidely(pattern: string, path: string, place: PathPlace): Comparison {
  const { folder, rest } = anchorWidely(pattern, place) ?? {};
  // The meaning of `..` after a wildcard cannot be known, so such a rule matches.
  if (folder === undefined || rest === undefined || /(?:^|\/)\.\.(?:\/|$)/.test(rest)) return 'matches';
  const otherwise = isProcessPath(path) ? 'undecided' : 'differs';
  const within = pathWithin(foldCase(path), foldCase(folder));
  if (within === undefined) return otherwise;
  const named = foldCase(rest.replace(/\/$/, ''));
  const globs = [named, `${named}/**`].map(pathGlob);
  // The path with a slash at its end stands for a search in a folder, whose content is part of the call.
  const isNamed = named === '' || globs.some((each) => each(within) || each(`${within}/`));
  return isNamed ? 'matches' : otherwise;
}

function anchorWidely(pattern: string, { cwd, home }: PathPlace) {
  const isAnywhere = pattern !== '~' && !/[/\\]./.test(pattern);
  return anchorPattern(isAnywhere ? `./**/${pattern}` : pattern, cwd, home);
}

/** A name that no pattern has, for whatever is in a folder. */
const ANYTHING = '\u{10ffff}/\u{10ffff}/\u{10ffff}';

/** Whether a rule that allows matches a search: its folder, and all that can be in the folder. */
export function permitsSearch(pattern: string, folder: string, place: PathPlace): boolean {
  const isExact = !/[*?]/.test(pattern) && permitsPath(pattern, folder, place);
  return isExact || (permitsPath(pattern, folder, place) && permitsPath(pattern, `${folder}/${ANYTHING}`, place));
}

/** Compares a pattern with a search: it matches where the folder is denied, and is undecided where something in the folder may be. */
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
