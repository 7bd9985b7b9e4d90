/** Where the text of a here-document ends, and whether the text can run nothing. */
export interface HereDocument {
  readonly end: number;
  readonly isSure: boolean;
}

/**
 * Finds the end of a here-document: the line that is the delimiter. A text with an expansion is unsure, as the quotes of the delimiter decide
 * whether a shell runs it.
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

/** A here-document whose text follows the line. */
export interface OpenDocument {
  readonly operator: string;
  /** How many lists of commands were open where the document was named. */
  readonly depth: number;
  delimiter?: string;
}

/** Finds the end of all here-documents of a line. Unsure also where a document was named in another list of commands, as shells differ. */
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
