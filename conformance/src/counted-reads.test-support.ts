/**
 * Returns how often each of several uses reads a member of `value`, or of an object within it. What uses share and compute only once is counted for the
 * first of them.
 */
export function countedReads<Value extends object>(
  value: Value,
  uses: readonly ((value: Value) => unknown)[],
): readonly number[] {
  let reads = 0;
  const known = new WeakMap<object, object>();
  const counted = <Of extends object>(of: Of): Of => {
    const proxy = known.get(of);
    if (proxy !== undefined) return proxy as Of;
    const created = new Proxy(of, handler) as Of;
    known.set(of, created);
    return created;
  };
  const handler: ProxyHandler<object> = {
    get(target, name) {
      reads += 1;
      const member: unknown = Reflect.get(target, name);
      return typeof member === 'object' && member !== null ? counted(member) : member;
    },
  };
  const whole = counted(value);
  return uses.map((use) => {
    const before = reads;
    const found = use(whole);
    if (isIterable(found)) Array.from(found);
    return reads - before;
  });
}

function isIterable(value: unknown): value is Iterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value;
}
