/** The path to a part of a value: names of members and indexes of items, from the value inwards. */
export type Path = readonly PropertyKey[];

export function valueAt(value: unknown, path: Path): unknown {
  let at: unknown = value;
  for (const key of path) at = typeof at === 'object' && at !== null ? Reflect.get(at, key) : undefined;
  return at;
}

/**
 * Copies a value, with another value at a path. All parts that are not on the path are shared with the original.
 *
 * @param copied called for each object and list on the path, with the number of its members, before it is copied
 */
export function withMember(value: unknown, path: Path, member: unknown, copied?: (members: number) => void): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return member;
  if (Array.isArray(value)) {
    copied?.(value.length);
    return value.with(Number(key), withMember(value[Number(key)], rest, member, copied));
  }
  const copy: Record<PropertyKey, unknown> = { ...(value as Readonly<Record<PropertyKey, unknown>>) };
  copied?.(Object.keys(copy).length);
  copy[key] = withMember(copy[key], rest, member, copied);
  return copy;
}

/** Copies a value, and returns a function that sets the member at a path of the copy. Each call of the function returns the same copy. */
export function changeable(
  value: unknown,
  path: Path,
  copied: (members: number) => void,
): (member: unknown) => unknown {
  const key = path.at(-1);
  if (key === undefined) return (member) => member;
  const copy = withMember(value, path, undefined, copied);
  const owner = valueAt(copy, path.slice(0, -1)) as Record<PropertyKey, unknown>;
  return (member) => {
    owner[key] = member;
    return copy;
  };
}

/**
 * Copies a value without a member of an object. All parts that are not on the path are shared with the original. Returns `undefined` for an element
 * of a list, because the following elements would get other indexes.
 */
export function withoutMember(value: unknown, path: Path, copied?: (members: number) => void): object | undefined {
  const key = path.at(-1);
  const owner = valueAt(value, path.slice(0, -1));
  if (typeof owner !== 'object' || owner === null || Array.isArray(owner)) return undefined;
  if (key === undefined || !Object.hasOwn(owner, key)) return undefined;
  // Uses entries instead of `delete`, so that the copy stays a fast object in V8.
  const rest = Object.fromEntries(Object.entries(owner).filter(([name]) => name !== key));
  return withMember(value, path.slice(0, -1), rest, copied) as object;
}
