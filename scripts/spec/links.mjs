import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { SECTIONS } from './form.mjs';
import { readPage, withoutCode } from './read-page.mjs';

/** @typedef {import('./form.mjs').Page} Page */
/** @typedef {import('./form.mjs').Problem} Problem */

/**
 * Checks that each link leads to a file that exists, and to a heading in it.
 * @param {string} folder The folder of the pages.
 * @param {readonly Page[]} pages
 * @param {boolean} isWhole Whether all sections exist. Otherwise links may lead to sections that do not exist yet.
 * @returns {readonly Problem[]}
 */
export function checkLinks(folder, pages, isWhole) {
  /** @type {Map<string, Page | undefined>} */
  const known = new Map(pages.map((page) => [join(folder, page.file), page]));
  const pageAt = (/** @type {string} */ path) => {
    if (!known.has(path)) known.set(path, readPage(path, readFileSync(path, 'utf8')));
    return known.get(path);
  };
  /** @param {string} file @param {string} link @returns {string | undefined} */
  const problemOf = (file, link) => {
    const [to = '', anchor] = link.split('#');
    const path = to === '' ? join(folder, file) : join(folder, to);
    if (!existsSync(path)) {
      const isComing = !isWhole && SECTIONS.some(([name]) => name === basename(path));
      return isComing ? undefined : `The link "${link}" leads to a file that does not exist.`;
    }
    if (anchor === undefined) return undefined;
    const isThere = path.endsWith('.md') && pageAt(path)?.headings.some(({ slug }) => slug === anchor);
    return isThere ? undefined : `The link "${link}" leads to a heading that does not exist.`;
  };
  return pages.flatMap(({ file, paragraphs }) =>
    paragraphs.flatMap(({ text, line }) =>
      Array.from(withoutCodeInText(text).matchAll(/\]\(([^)\s]*)[^)]*\)/g)).flatMap(([, link = '']) => {
        if (/^[a-z]+:/.test(link)) return [];
        const found = problemOf(file, link);
        return found === undefined ? [] : [{ file, line, text: found }];
      }),
    ),
  );
}

/** The text without code, but with links whose text is code. @param {string} text */
function withoutCodeInText(text) {
  return withoutCode(text.replaceAll(/\[`[^`]*`\]/g, '[code]'));
}
