/** @typedef {import('./form.mjs').Page} Page */
/** @typedef {import('./form.mjs').Heading} Heading */
/** @typedef {import('./form.mjs').Block} Block */
/** @typedef {import('./form.mjs').Paragraph} Paragraph */

/**
 * Cuts a Markdown file into headings, fenced blocks and paragraphs. A fence that is not closed reaches to the end of the file.
 * @param {string} file Its name.
 * @param {string} text
 * @returns {Page}
 */
export function readPage(file, text) {
  /** @type {Heading[]} */
  const headings = [];
  /** @type {Block[]} */
  const blocks = [];
  /** @type {Paragraph[]} */
  const paragraphs = [];
  /** @type {Map<string, number>} */
  const slugs = new Map();
  /** @type {{ kind: string, before: string, lines: string[], line: number } | undefined} */
  let block;
  let before = '';
  let continues = false;
  const close = () => {
    if (block !== undefined) blocks.push({ ...block, text: block.lines.join('\n') });
    block = undefined;
    before = '';
  };
  for (const [index, row] of text.split('\n').entries()) {
    const line = index + 1;
    const fence = /^ *```(\w*)/.exec(row);
    if (block !== undefined) {
      if (fence === null) block.lines.push(row);
      else close();
      continue;
    }
    const last = paragraphs.at(-1);
    const heading = /^(#{1,6}) +(.*?) *$/.exec(row);
    if (fence !== null) block = { kind: fence[1] ?? '', before, lines: [], line };
    else if (heading !== null) headings.push(headingOf(heading[1] ?? '', heading[2] ?? '', line, slugs));
    else if (continues && row.trim() !== '' && last !== undefined) last.text += `\n${row}`;
    else if (row.trim() !== '') paragraphs.push({ text: row, line });
    continues = fence === null && heading === null && row.trim() !== '';
    if (row.trim() !== '') before = row.trim();
  }
  close();
  return { file, headings, blocks, paragraphs };
}

/** The text without what stands between backquotes. @param {string} text */
export function withoutCode(text) {
  return text.replaceAll(/(`+)(?!`).*?(?<!`)\1(?!`)/gs, ' ');
}

/**
 * A heading with the anchor that GitHub gives it.
 * @param {string} marks
 * @param {string} text
 * @param {number} line
 * @param {Map<string, number>} slugs How often each anchor was given.
 * @returns {Heading}
 */
function headingOf(marks, text, line, slugs) {
  const said = text.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1');
  const slug = said
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
  const earlier = slugs.get(slug) ?? 0;
  slugs.set(slug, earlier + 1);
  return { level: marks.length, text, slug: earlier === 0 ? slug : `${slug}-${earlier}`, line };
}
