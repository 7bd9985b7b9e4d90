/** Where the text of a here-document ends, and whether the text can run nothing. */
export interface HereDocument {
  readonly end: number;
  readonly isSure: boolean;
}

/**
 * Finds the end of a here-document: the line that is the delimiter. A text with an expansion is unsure, as the quotes of the delimiter decide
 * whether a shell runs it.
 */
export function readHereDocument(line: string, start: number, delimiter: string, hasTabs: boolean): HereDocument {
  for (let at = start; at <= line.length; ) {
    const found = line.indexOf('\n', at);
    const end = found === -1 ? line.length : found;
    const text = line.slice(at, end);
    if ((hasTabs ? text.replace(/^\t+/, '') : text) === delimiter) {
      return { end: Math.min(end + 1, line.length), isSure: !/[`\\]|\$[({]/.test(line.slice(start, at)) };
    }
    if (found === -1) break;
    at = end + 1;
  }
  return { end: line.length, isSure: false };
}
