// The form of every requirement of the specification and every promise in docs/promises.md: a paragraph `**ABC-1** (marks): Sentence.`.

/** @typedef {import('./form.mjs').Paragraph} Paragraph */

/** @typedef {object} Entry
 * @property {string} id
 * @property {string | undefined} marks What stands in brackets after the id.
 * @property {string} text What follows the colon.
 */

const BEGIN = /^\*\*[A-Z]{3,}-/;
const WHOLE = /^\*\*([A-Z]{3,}-[1-9]\d*)\*\*(?: \(([^)]*)\))?: (.*)$/s;

/**
 * Reads a paragraph that begins with an id. Undefined for all other text, and `'malformed'` where the form is wrong.
 * @param {Paragraph} paragraph
 * @returns {Entry | 'malformed' | undefined}
 */
export function entryOf({ text }) {
  if (!BEGIN.test(text)) return undefined;
  const [, id, marks, rest] = WHOLE.exec(text) ?? [];
  return id === undefined || rest === undefined ? 'malformed' : { id, marks, text: rest };
}
