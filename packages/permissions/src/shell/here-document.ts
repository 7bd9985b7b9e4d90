/** `isSure` is true if it is certain that the text runs no commands. */
export interface HereDocument {
  readonly end: number;
  readonly isSure: boolean;
}

/**
 * A here-document ends with the line that consists of the delimiter. If the text contains an expansion, `isSure` is false, because the quotes
 * around the delimiter determine whether a shell runs the expansion.
 */
function readHereDocument(line: string, start: number, delimiter: string, hasTabs: boolean): HereDocument {
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

/** The text of the here-document begins after the current line. */
export interface OpenDocument {
  readonly operator: string;
  /** How many command lists were open at the position of the here-document's operator. */
  readonly depth: number;
  delimiter?: string;
}

/** `isSure` is also false if a here-document was started in another command list, because shells differ in this case. */
export function readHereDocuments(
  line: string,
  start: number,
  documents: readonly OpenDocument[],
  depth: number,
): HereDocument {
  let [end, isSure] = [start, true];
  for (const document of documents) {
    const found = readHereDocument(line, end, document.delimiter ?? '', document.operator === '<<-');
    isSure &&= found.isSure && document.depth === depth;
    end = found.end;
  }
  return { end, isSure };
}
