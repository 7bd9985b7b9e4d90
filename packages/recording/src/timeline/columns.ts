import { cutText } from '@proto/core/framing';

// The peer chooses names, and may send any number of different names. A column of 16 bits can distinguish this many.
const MAX_NAMES = 65_535;
const MAX_NAME_LENGTH = 80;
const OTHER = 0;

/** When 65 534 names are stored, the name `…` is used for all further names. */
export class Names {
  readonly #names: string[] = ['…'];
  readonly #numbers = new Map<string, number>();

  numberOf(name: string): number {
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    const number = this.#names.length;
    if (number >= MAX_NAMES) return OTHER;
    this.#names.push(cutText(name, MAX_NAME_LENGTH));
    this.#numbers.set(name, number);
    return number;
  }

  nameOf(number: number): string {
    return this.#names[number] ?? '…';
  }
}

/** One page of columns: arrays of numbers, each with an element for every row. */
export type ColumnPage = Readonly<Record<string, ArrayBufferView>>;

export interface Row<Page> {
  readonly index: number;
  readonly page: Page;
  /** The index of the row in the columns of its page. */
  readonly row: number;
}

const PAGE_BITS = 13;

export const PAGE_ROWS = 1 << PAGE_BITS;

/** Pages have 8 192 rows, so that a table can grow without copying its rows. */
export class Pages<Page extends ColumnPage> {
  readonly #what: string;
  readonly #createPage: () => Page;
  readonly #pages: Page[] = [];
  #length = 0;

  /** @param what the name of a row in error messages. */
  constructor(what: string, createPage: () => Page) {
    this.#what = what;
    this.#createPage = createPage;
  }

  get length(): number {
    return this.#length;
  }

  get bytes(): number {
    const columns: readonly ArrayBufferView[] = Object.values(this.#pages[0] ?? {});
    return this.#pages.length * columns.reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  /** Adds a row whose columns are 0. */
  add(): Row<Page> {
    const index = this.#length++;
    const page = (this.#pages[index >>> PAGE_BITS] ??= this.#createPage());
    return { index, page, row: index & (PAGE_ROWS - 1) };
  }

  /** @throws {RangeError} if the row does not exist */
  get(index: number): Row<Page> {
    const page = index >= 0 && index < this.#length ? this.#pages[index >>> PAGE_BITS] : undefined;
    if (page === undefined)
      throw new RangeError(`${this.#what} ${index} does not exist: the timeline contains only ${this.#length}`);
    return { index, page, row: index & (PAGE_ROWS - 1) };
  }
}

const NONE = -1;

export function setOptional(column: Int32Array, row: number, value: number | undefined): void {
  column[row] = value ?? NONE;
}

export function getOptional(column: Int32Array, row: number): number | undefined {
  const value = column[row];
  return value === NONE ? undefined : value;
}
