/** The height of a row, in pixels. The style sheet must contain the same number. */
export const ROW_HEIGHT = 24;

/**
 * The maximum height of the scrolled content, in pixels. Browsers draw only about the first 17 million pixels, so a longer list is scrolled in steps
 * of more than one pixel.
 */
export const MAX_SCROLL_HEIGHT = 12_000_000;

/** Converts positions of the scroll bar to positions in a list that may be taller than `MAX_SCROLL_HEIGHT`. */
export class ScrollScale {
  readonly #whole: number;
  readonly #height: number;
  readonly #space: number;

  constructor(count: number, height: number) {
    this.#whole = count * ROW_HEIGHT;
    this.#height = height;
    this.#space = Math.min(MAX_SCROLL_HEIGHT, this.#whole);
  }

  get isScaled(): boolean {
    return this.#whole > MAX_SCROLL_HEIGHT;
  }

  /** The top of the view in the list, for a position of the scroll bar. */
  topOf(scrollTop: number): number {
    return this.isScaled
      ? this.clamp((scrollTop / (this.#space - this.#height)) * (this.#whole - this.#height))
      : scrollTop;
  }

  scrollTopOf(top: number): number {
    return this.isScaled
      ? (this.clamp(top) / (this.#whole - this.#height)) * (this.#space - this.#height)
      : this.clamp(top);
  }

  /** Returns where a row is drawn, in relation to the top of the view. */
  offsetOf(rowTop: number, top: number): number {
    return this.isScaled ? Math.round(this.scrollTopOf(top) + (rowTop - top)) : rowTop;
  }

  clamp(top: number): number {
    return Math.max(0, Math.min(this.#whole - this.#height, top));
  }
}
