/** One requirement: a sentence a single test can decide. In it "the seed" is the document the row was taken from and "ours" is this project. */
export interface Row {
  /** `S<document>-<nn>`, `R-<pain>.<n>` or `I-<section><n>`; never reused. */
  readonly id: string;
  /** The document and section the row comes from. */
  readonly source: string;
  /** The parts concerned (`core`, `stdio`) and the seams it needs (`seam:runTurn`); empty where the source names none. */
  readonly tags: readonly string[];
  readonly sentence: string;
}

/** The rows which were written as one document, and are reported together. */
export interface RowDocument {
  readonly id: string;
  readonly title: string;
  readonly rows: readonly Row[];
}
