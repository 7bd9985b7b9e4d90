/** Stands behind the ids of a test that is expected to fail: vitest reports such a test as passed, so only its name can tell. */
const KNOWN_FAILURE = '[known failure]';

/** What a test's name says about rows. */
export interface Citation {
  readonly ids: readonly string[];
  readonly knownFailure: boolean;
}

/** The name of a test which decides the rows `ids`: `[S2-11][R-5.1] sentence`. */
export function citingName(ids: readonly string[], sentence: string, knownFailure = false): string {
  return `${ids.map((id) => `[${id}]`).join('')}${knownFailure ? KNOWN_FAILURE : ''} ${sentence}`;
}

/** Reads the ids at the start of a test's name. Wider than the ids in use, so that `[S2-1]` is found and refused rather than overlooked. */
export function parseCitation(name: string): Citation {
  const ids: string[] = [];
  let rest = name;
  for (;;) {
    const match = /^\s*\[((?:S\d+|R|I)-[\w.-]+)\]/.exec(rest);
    if (match?.[1] === undefined) break;
    ids.push(match[1]);
    rest = rest.slice(match[0].length);
  }
  return { ids, knownFailure: ids.length > 0 && rest.trimStart().startsWith(KNOWN_FAILURE) };
}
