/** @typedef {import('./form.mjs').Page} Page */
/** @typedef {import('./form.mjs').Problem} Problem */

/**
 * Checks that the numbers of the headings are in order: `# N. Title` once and first, then `## N.M Title`, and `### N.M.K Title` below.
 * @param {Page} page A section.
 * @returns {readonly Problem[]}
 */
export function checkHeadings({ file, headings }) {
  const own = Number(file.slice(0, 2));
  const [first, ...rest] = headings;
  /** @type {Problem[]} */
  const problems = [];
  if (first?.line !== 1 || first.level !== 1 || !first.text.startsWith(`${own}. `)) {
    problems.push({ file, line: 1, text: `The first line must be "# ${own}. Title".` });
  }
  let [part, item] = [0, 0];
  for (const { level, text, line } of rest) {
    if (level === 2) [part, item] = [part + 1, 0];
    else if (level === 3) item++;
    const number = level === 2 ? `${own}.${part}` : `${own}.${part}.${item}`;
    if (level < 2 || level > 3) {
      problems.push({ file, line, text: 'A heading below the title has two or three #.' });
    } else if (!text.startsWith(`${number} `)) {
      problems.push({ file, line, text: `The number of this heading must be ${number}.` });
    }
  }
  return problems;
}

/** The number and the title of the part that a line stands in. @param {Page} page @param {number} line */
export function partAt({ headings }, line) {
  const heading = headings.findLast((candidate) => candidate.line <= line);
  const [, number = '', title = ''] = /^([\d.]*\d)\.? +(.*)$/.exec(heading?.text ?? '') ?? [];
  return { number, title };
}
