// The promises of docs/promises.md, which have the form of requirements without roles: each subject has a heading and a prefix of at least four letters,
// so that no promise has the id of a requirement of the specification.
import { entryOf } from './entry.mjs';
import { readPage } from './read-page.mjs';

/** The file of the promises, from the root folder. */
export const PROMISES = 'docs/promises.md';

/** Marks a promise that has no test yet. */
const PLANNED = 'planned';

/** @typedef {import('./form.mjs').Problem} Problem */
/** @typedef {{ id: string, subject: string, text: string, isPlanned: boolean }} Promised */

/**
 * Reads the promises, in their order, and checks the form of each.
 * @param {string} markdown
 * @returns {{ promises: readonly Promised[], problems: readonly Problem[] }}
 */
export function readPromises(markdown) {
  const { headings, paragraphs } = readPage(PROMISES, markdown);
  /** @type {Promised[]} */
  const promises = [];
  /** @type {Problem[]} */
  const problems = [];
  for (const paragraph of paragraphs) {
    const { line } = paragraph;
    const refuse = (/** @type {string} */ text) => void problems.push({ file: PROMISES, line, text });
    const entry = entryOf(paragraph);
    if (entry === undefined) continue;
    if (entry === 'malformed') {
      refuse('A promise has the form "**ABCD-1**: Sentence." or "**ABCD-1** (planned): Sentence.".');
      continue;
    }
    const { id, marks, text } = entry;
    const subject = headings.findLast((heading) => heading.line < line)?.text ?? '';
    if (marks !== undefined && marks !== PLANNED) refuse(`${id}: the only mark of a promise is "${PLANNED}".`);
    if (!/^[A-Z]{4,}-/.test(id)) refuse(`${id}: the prefix of a promise has at least four letters.`);
    if (!text.endsWith('.')) refuse(`${id}: a promise ends with a full stop.`);
    if (promises.some((other) => other.id === id)) refuse(`The id ${id} occurs twice.`);
    const sharesOne = (/** @type {Promised} */ other) =>
      prefixOf(other.id) === prefixOf(id) || other.subject === subject;
    const other = promises.find(sharesOne);
    if (other !== undefined && (prefixOf(other.id) !== prefixOf(id) || other.subject !== subject)) {
      refuse(`${id}: each subject has one prefix, and each prefix one subject; see ${other.id}.`);
    }
    promises.push({ id, subject, text, isPlanned: marks === PLANNED });
  }
  return { promises, problems };
}

/** The subject or the section of an id: its letters. @param {string} id */
export function prefixOf(id) {
  return id.slice(0, id.lastIndexOf('-'));
}
