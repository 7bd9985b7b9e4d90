/** For each key, the elements that have the key, in their order. */
export function byKeys<T, Key>(list: readonly T[], keysOf: (item: T) => Iterable<Key>): Map<Key, T[]> {
  const groups = new Map<Key, T[]>();
  for (const item of list)
    for (const key of new Set(keysOf(item))) {
      const group = groups.get(key) ?? [];
      groups.set(key, group);
      group.push(item);
    }
  return groups;
}
