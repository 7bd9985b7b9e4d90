/** The last event that a reader already has. */
export interface ReaderCursor {
  /** The sequence number of that event; 0 for a reader that has nothing yet. */
  readonly sequence: number;
  /** The identity of the log to which the number belongs; undefined if the client does not know it. Published clients do not know it. */
  readonly log?: string | undefined;
}

/** The cursor of a reader that has nothing yet. */
export const BEGINNING: ReaderCursor = { sequence: 0 };

/** The form of a cursor: as many digits as a `number` can always represent exactly, and the name of a log. */
const CURSOR = /^(\d{1,15})(?:@([\w-]{1,64}))?$/;

/** Reads `NUMBER` or `NUMBER@LOG`. Any other text means the beginning. */
export function readerCursor(text: string | null): ReaderCursor {
  const [, digits, log] = CURSOR.exec(text ?? '') ?? [];
  return digits === undefined ? BEGINNING : { sequence: Number(digits), log };
}

/** Returns the cursor with the largest number. If two cursors have the same number, the cursor that names its log is preferred. */
export function latestCursor(cursors: readonly ReaderCursor[]): ReaderCursor {
  return cursors.reduce((latest, cursor) => {
    const isLater =
      cursor.sequence > latest.sequence || (cursor.sequence === latest.sequence && latest.log === undefined);
    return isLater ? cursor : latest;
  }, BEGINNING);
}
