/** A map that finds its values as fast as its keys. */
export class ValuedMap<Key, Value> {
  readonly #values = new Map<Key, Value>();
  readonly #counts = new Map<Value, number>();

  get size(): number {
    return this.#values.size;
  }

  set(key: Key, value: Value): void {
    this.delete(key);
    this.#values.set(key, value);
    this.#counts.set(value, (this.#counts.get(value) ?? 0) + 1);
  }

  get(key: Key): Value | undefined {
    return this.#values.get(key);
  }

  has(key: Key): boolean {
    return this.#values.has(key);
  }

  hasValue(value: Value): boolean {
    return this.#counts.has(value);
  }

  delete(key: Key): void {
    if (!this.#values.has(key)) return;
    const value = this.#values.get(key) as Value;
    this.#values.delete(key);
    const left = (this.#counts.get(value) ?? 0) - 1;
    if (left > 0) this.#counts.set(value, left);
    else this.#counts.delete(value);
  }

  clear(): void {
    this.#values.clear();
    this.#counts.clear();
  }
}
