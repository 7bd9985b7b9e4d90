/** Follows the rows in the name of a test that is expected to fail. Vitest reports such a test as passed, so only its name can tell. */
const KNOWN_FAILURE = '[known failure]';

/** What a test's name says about rows. */
export interface Citation {
  readonly ids: readonly string[];
  readonly knownFailure: boolean;
}

/** A row as a test name, the report and its problems show it: `S1-22 transport/chosen-by-scheme`. */
export function label({ id, slug }: { readonly id: string; readonly slug: string }): string {
  return `${id} ${slug}`;
}

/** The name of a test that decides some rows, each given by its label: `[S2-11 order/request-never-overtakes][R-5.1 framing/linear-time] sentence`. */
export function citingName(labels: readonly string[], sentence: string, knownFailure = false): string {
  return `${labels.map((each) => `[${each}]`).join('')}${knownFailure ? KNOWN_FAILURE : ''} ${sentence}`;
}

/**
 * Reads the ids at the start of a test's name, with or without slugs. Accepts more than the ids in use: `[S2-1]` must be found and refused, not
 * overlooked.
 */
export function parseCitation(name: string): Citation {
  const ids: string[] = [];
  let rest = name;
  for (;;) {
    const match = /^\s*\[((?:S\d+|R|I)-[\w.-]+)(?: [\w/-]+)?\]/.exec(rest);
    if (match?.[1] === undefined) break;
    ids.push(match[1]);
    rest = rest.slice(match[0].length);
  }
  return { ids, knownFailure: ids.length > 0 && rest.trimStart().startsWith(KNOWN_FAILURE) };
}
