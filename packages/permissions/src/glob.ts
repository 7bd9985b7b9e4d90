export type Glob = (text: string) => boolean;

/** In a pattern for names and commands, `*` matches any text. */
export function textGlob(pattern: string): Glob {
  const [head = '', ...rest] = pattern.split(/\*+/);
  const tail = rest.pop();
  if (tail === undefined) return (text) => text === pattern;
  return (text) => {
    if (!text.startsWith(head)) return false;
    // The first match of each piece leaves the most text for the following pieces, so no backtracking is needed.
    let place = head.length;
    for (const piece of rest) {
      const found = text.indexOf(piece, place);
      if (found === -1) return false;
      place = found + piece.length;
    }
    return text.length - tail.length >= place && text.endsWith(tail);
  };
}

// A step of a path pattern is a literal code point or one of these values.
const ONE = -1;
const RUN = -2;
const ALL = -3;
const FOLDERS = -4;
const INSIDE = -5;
const SLASH = 47;

/**
 * `*` and `?` do not match a slash, but `**` does. A segment `**` matches any number of folders, including none. Square brackets are literal. Tracks
 * all possible positions in the pattern at once, so that the time for matching is at most proportional to the length of the pattern times the length
 * of the path.
 */
export function pathGlob(pattern: string): Glob {
  const steps = pattern.split(/((?<=^|\/)\*\*\/|\*\*+|[*?])/).flatMap(stepsOf);
  return (path) => {
    let places = addSkipped(steps, new Uint8Array(steps.length + 1).fill(1, 0, 1));
    for (const character of path) {
      const next = placesAfter(steps, places, character.codePointAt(0) as number);
      if (next === undefined) return false;
      places = addSkipped(steps, next);
    }
    return places[steps.length] === 1;
  };
}

function stepsOf(part: string): readonly number[] {
  // `FOLDERS` continues either after `INSIDE` or in `INSIDE`, which matches everything up to a slash.
  if (part === '**/') return [FOLDERS, INSIDE];
  if (part === '*') return [RUN];
  if (part === '?') return [ONE];
  return /^\*+$/.test(part) ? [ALL] : [...part].map((character) => character.codePointAt(0) as number);
}

/** Returns the possible positions in the pattern after one more character of the path, or `undefined` if there are none. */
function placesAfter(steps: readonly number[], places: Uint8Array, character: number): Uint8Array | undefined {
  const next = new Uint8Array(places.length);
  let isAny = false;
  for (let place = 0; place < steps.length; place++) {
    if (places[place] === 0) continue;
    const step = steps[place] as number;
    const isSlash = character === SLASH;
    const stays = step === ALL || step === INSIDE || (step === RUN && !isSlash);
    const moves = step === character || (step === ONE && !isSlash) || (step === INSIDE && isSlash);
    if (stays) next[place] = 1;
    if (moves) next[place + 1] = 1;
    isAny ||= stays || moves;
  }
  return isAny ? next : undefined;
}

function addSkipped(steps: readonly number[], places: Uint8Array): Uint8Array {
  for (let place = 0; place < steps.length; place++) {
    if (places[place] === 0) continue;
    const step = steps[place] as number;
    if (step === RUN || step === ALL || step === FOLDERS) places[place + 1] = 1;
    if (step === FOLDERS) places[place + 2] = 1;
  }
  return places;
}
