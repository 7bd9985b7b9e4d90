/**
 * Gives what its sources give, as it comes. Each is asked for one item at a time. Sources may be added while it runs; it ends when
 * all have ended.
 */
export async function* merge<T>(sources: Set<AsyncIterator<T, void>>): AsyncGenerator<T, void, undefined> {
  const asked = new Map<AsyncIterator<T, void>, ReturnType<typeof ask<T>>>();
  while (sources.size > 0) {
    for (const source of sources) if (!asked.has(source)) asked.set(source, ask(source));
    const { source, next } = await Promise.race(asked.values());
    asked.delete(source);
    if (next.done === true) sources.delete(source);
    else yield next.value;
  }
}

async function ask<T>(source: AsyncIterator<T, void>) {
  return { source, next: await source.next() };
}
