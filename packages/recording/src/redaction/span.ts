/** Where a secret begins and ends in a text, in UTF-16 units. */
export type Span = readonly [start: number, end: number];
