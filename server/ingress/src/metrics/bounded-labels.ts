const OTHER = 'other';

/**
 * Returns a function that returns the first `max` different values of a label unchanged, and `other` for every further value. A collector keeps a
 * series forever for each value of a label, so a peer must not be able to create new values.
 */
export function boundedLabels(max: number): (value: string) => string {
  const known = new Set<string>();
  return (value) => {
    if (known.has(value)) return value;
    if (known.size >= max) return OTHER;
    known.add(value);
    return value;
  };
}
