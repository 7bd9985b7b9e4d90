// The sizes of our imports in documents, which come from scripts/size/accepted.json. A size in a text is followed by a mark, which names the import:
// `1.4 kB<!-- size: framing: createLineDecoder -->`. docs/benchmarks-all.md has a row for each import.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** @typedef {{ readonly name: string, readonly bytes: number, readonly limit: number }} Stated */

const MARKED = /(\d+(?:\.\d+)?)((?: kB)?<!-- size: (.*?) -->)/g;
const NOT_OURS = ['node_modules', 'dist', '.git', '.turbo', '.changeset', 'testdata', 'fixtures'];

/** In kilobytes, with one decimal digit. @param {number} bytes */
export function kilobytes(bytes) {
  return (bytes / 1000).toFixed(1);
}

/**
 * Returns the text with the given sizes in place of the sizes that it states.
 * @param {string} text
 * @param {readonly Stated[]} sizes
 */
export function withSizes(text, sizes) {
  const marked = text.replace(MARKED, (_all, _size, mark, name) => {
    const size = sizes.find((one) => one.name === name);
    if (size === undefined)
      throw new Error(`a document states the size of "${name}", which scripts/size.mjs does not measure`);
    return `${kilobytes(size.bytes)}${mark}`;
  });
  return marked.replace(/^\| (.*?) \|  \|  \|  \| \d+ bytes \|(.*)\| <= \d+ \| \w+ \|$/gm, (row, name, of) => {
    const size = sizes.find((one) => one.name === name);
    if (size === undefined) return row;
    const { bytes, limit } = size;
    return `| ${name} |  |  |  | ${bytes} bytes |${of}| <= ${limit} | ${bytes <= limit ? 'met' : 'miss'} |`;
  });
}

/**
 * Lists the lines of documents that state a size other than the given size.
 * @param {string} root
 * @param {readonly Stated[]} sizes
 */
export function staleSizes(root, sizes) {
  return documentsIn(root).flatMap((path) => {
    const lines = readFileSync(path, 'utf8').split('\n');
    return lines
      .map((line, at) => ({ line, at, now: withSizes(line, sizes) }))
      .filter(({ line, now }) => line !== now)
      .map(({ at }) => `${relative(root, path)}:${at + 1} states another size`);
  });
}

/**
 * Writes the given sizes into documents. Returns the names of the documents that changed.
 * @param {string} root
 * @param {readonly Stated[]} sizes
 */
export function writeSizes(root, sizes) {
  return documentsIn(root).filter((path) => {
    const text = readFileSync(path, 'utf8');
    const now = withSizes(text, sizes);
    if (now !== text) writeFileSync(path, now);
    return now !== text;
  });
}

/** @param {string} folder @returns {string[]} */
function documentsIn(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return NOT_OURS.includes(entry.name) ? [] : documentsIn(path);
    return entry.name.endsWith('.md') ? [path] : [];
  });
}
