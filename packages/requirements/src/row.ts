/** One requirement: a sentence that a single test can decide. In the sentence, "the seed" is the document of the row and "ours" is this project. */
export interface Row {
  /** `S<document>-<nn>`, `R-<pain>.<n>` or `I-<section><n>`; never reused. */
  readonly id: string;
  /** What the row is about, for readers of test names: `<subject>/<behaviour>`. Unique; may be changed at any time. */
  readonly slug: string;
  /** The document and section that the row comes from. */
  readonly source: string;
  /** The parts concerned (`core`, `stdio`) and the seams that the row needs (`seam:runTurn`); empty if the source names none. */
  readonly tags: readonly string[];
  readonly sentence: string;
}

/** The rows that were written as one document, and that the report counts together. */
export interface RowDocument {
  readonly id: string;
  readonly title: string;
  readonly rows: readonly Row[];
}
