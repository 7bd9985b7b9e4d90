/** One step of a pattern. */
interface Step {
  /**
   * `character` matches itself, `one` any character but a slash, `run` any number of these, and `all` any text. `folders` matches nothing
   * itself: it continues after `inside`, or in `inside`, which matches everything up to a slash.
   */
  readonly kind: 'character' | 'one' | 'run' | 'all' | 'folders' | 'inside';
  readonly character?: string;
}

const STEPS: Readonly<Record<string, readonly Step[]>> = {
  '**/': [{ kind: 'folders' }, { kind: 'inside' }],
  '*': [{ kind: 'run' }],
  '?': [{ kind: 'one' }],
};
const ALL: readonly Step[] = [{ kind: 'all' }];

/**
 * Compiles a pattern of paths. `*` and `?` stop at a slash, `**` does not, and a segment `**` stands for any number of folders, also
 * for none. Square brackets stand for themselves.
 */
export function pathGlob(pattern: string): (path: string) => boolean {
  const parts = pattern.split(/((?<=^|\/)\*\*\/|\*\*+|[*?])/);
  return matcher(parts.flatMap((part) => STEPS[part] ?? (/^\*+$/.test(part) ? ALL : charactersOf(part))));
}

/** Compiles a pattern of names and commands, in which `*` stands for any text. */
export function textGlob(pattern: string): (text: string) => boolean {
  return matcher(pattern.split(/(\*+)/).flatMap((part) => (/^\*+$/.test(part) ? ALL : charactersOf(part))));
}

function charactersOf(text: string): readonly Step[] {
  return [...text].map((character) => ({ kind: 'character', character }));
}

/**
 * Follows all paths through the pattern at once, so that matching takes at most the product of both lengths. An agent chooses the text,
 * and could choose one for which a regular expression with several asterisks takes far longer.
 */
function matcher(steps: readonly Step[]): (text: string) => boolean {
  return (text) => {
    let places = withSkips(steps, new Set([0]));
    for (const character of text) {
      const next = new Set([...places].flatMap((place) => placesAfter(steps[place], place, character)));
      if (next.size === 0) return false;
      places = withSkips(steps, next);
    }
    return places.has(steps.length);
  };
}

/** Returns the places that follow a step and one character: no place, the next one, or the same one. */
function placesAfter(step: Step | undefined, place: number, character: string): readonly number[] {
  switch (step?.kind) {
    case 'character':
      return character === step.character ? [place + 1] : [];
    case 'one':
      return character === '/' ? [] : [place + 1];
    case 'run':
      return character === '/' ? [] : [place];
    case 'all':
      return [place];
    case 'inside':
      return character === '/' ? [place, place + 1] : [place];
    default:
      return [];
  }
}

/** Adds the places that are reached without a character. The loop also visits the places that it adds. */
function withSkips(steps: readonly Step[], places: Set<number>): ReadonlySet<number> {
  for (const place of places) {
    const kind = steps[place]?.kind;
    if (kind === 'run' || kind === 'all' || kind === 'folders') places.add(place + 1);
    if (kind === 'folders') places.add(place + 2);
  }
  return places;
}
