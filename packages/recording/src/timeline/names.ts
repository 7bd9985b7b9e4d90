// A peer chooses names, and may send new names without end. A column of 16 bits holds this many.
const MAX_NAMES = 65_535;
const MAX_NAME_LENGTH = 80;
const OTHER = 0;

/** Stores each name once, and gives a number of 16 bits for it. The name `…` stands for all names above the limit of 65 534. */
export class Names {
  readonly #names: string[] = ['…'];
  readonly #numbers = new Map<string, number>();

  numberOf(name: string): number {
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    const number = this.#names.length;
    if (number >= MAX_NAMES) return OTHER;
    this.#names.push(name.slice(0, MAX_NAME_LENGTH));
    this.#numbers.set(name, number);
    return number;
  }

  nameOf(number: number): string {
    return this.#names[number] ?? '…';
  }
}
