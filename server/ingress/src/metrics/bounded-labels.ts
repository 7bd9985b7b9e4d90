const OTHER = 'other';

/**
 * Returns a function that passes on the first `max` different values of a label, and `other` for every further value. Each value of a label is a
 * series that a collector keeps forever, so no peer may be able to make up new ones.
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
