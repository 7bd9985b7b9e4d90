/**
 * What a program did in a session: a value for each name, without times and without ids that a program has generated. If a name applies to one of
 * several things, it ends with ` #` and the place of the thing in the session, as in `answer to set_model #3`.
 */
export type Facts = ReadonlyMap<string, string>;

const PLACE = ' #';

/** The name of a fact about the thing at a place. If the thing did not exist in a run, the fact is left out of a comparison. */
export function nameAt(name: string, place: unknown): string {
  return `${name}${PLACE}${String(place)}`;
}

export function hasPlace(name: string): boolean {
  return name.includes(PLACE);
}

export function withoutPlace(name: string): string {
  return name.split(PLACE, 1)[0] ?? name;
}

/** How often each of these names occurs, as facts. */
export function countsOf(names: readonly string[]): (readonly [string, string])[] {
  return [...new Set(names)].map((name) => [name, String(names.filter((each) => each === name).length)]);
}
