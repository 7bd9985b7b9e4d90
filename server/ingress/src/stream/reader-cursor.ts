/** The last event that a reader has. */
export interface ReaderCursor {
  /** 0 for a reader that has nothing. */
  readonly sequence: number;
  /** The identity of the log to which the number belongs; undefined for a client that does not know it, as published clients do not. */
  readonly log?: string | undefined;
}

/** The cursor of a reader that has nothing. */
export const BEGINNING: ReaderCursor = { sequence: 0 };

/** Digits that a number represents exactly, and the name of a log. */
const CURSOR = /^(\d{1,15})(?:@([\w-]{1,64}))?$/;

/** Reads `NUMBER` or `NUMBER@LOG`. Any other text is the beginning. */
export function readerCursor(text: string | null): ReaderCursor {
  const [, digits, log] = CURSOR.exec(text ?? '') ?? [];
  return digits === undefined ? BEGINNING : { sequence: Number(digits), log };
}

/** The cursor with the largest number; of two with the same number, the one that names its log. */
export function latestCursor(cursors: readonly ReaderCursor[]): ReaderCursor {
  return cursors.reduce((latest, cursor) => {
    const isLater =
      cursor.sequence > latest.sequence || (cursor.sequence === latest.sequence && latest.log === undefined);
    return isLater ? cursor : latest;
  }, BEGINNING);
}
