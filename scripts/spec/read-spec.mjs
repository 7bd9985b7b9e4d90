import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { checkExamples } from './examples.mjs';
import { OTHERS, README, SECTIONS } from './form.mjs';
import { checkHeadings } from './headings.mjs';
import { checkLinks } from './links.mjs';
import { checkModel, readModel } from './model.mjs';
import { readPage } from './read-page.mjs';
import { checkCited, checkUnique, readRequirements } from './requirements.mjs';

/** @typedef {import('./form.mjs').Page} Page */
/** @typedef {import('./form.mjs').Problem} Problem */
/** @typedef {import('./form.mjs').Requirement} Requirement */

/**
 * Reads the specification and checks its form.
 * @param {string} folder
 * @param {import('./examples.mjs').ParseMessage} parseMessage
 * @returns {{ requirements: readonly Requirement[], sections: readonly Page[], problems: readonly Problem[] }}
 */
export function readSpec(folder, parseMessage) {
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .toSorted();
  const pages = names.map((name) => readPage(name, readFileSync(join(folder, name), 'utf8')));
  const sections = pages.filter(({ file }) => SECTIONS.some(([name]) => name === file));
  // Without its README the specification is under construction, and sections may be missing.
  const isWhole = existsSync(join(folder, README));
  const read = sections.map((page) => ({ page, ...readRequirements(page) }));
  const placed = read.flatMap(({ page: { file }, requirements }) => requirements.map((found) => ({ ...found, file })));
  const problems = [
    ...checkNames(names, isWhole),
    ...sections.flatMap(checkHeadings),
    ...read.flatMap((found) => found.problems),
    ...checkUnique(placed),
    ...(isWhole ? checkCited(pages, placed) : []),
    ...checkModel(readModel(folder), placed),
    ...sections.flatMap((page) => checkExamples(page, parseMessage)),
    ...checkLinks(folder, pages, isWhole),
  ];
  const requirements = placed.map(({ file: _, line: __, ...requirement }) => requirement);
  return { requirements: requirements.toSorted(byId), sections, problems };
}

/** @param {readonly string[]} names @param {boolean} isWhole @returns {readonly Problem[]} */
function checkNames(names, isWhole) {
  /** @type {readonly string[]} */
  const known = [...SECTIONS.map(([name]) => name), ...OTHERS];
  const missing = isWhole ? known.filter((name) => !names.includes(name)) : [];
  return [
    ...names
      .filter((name) => !known.includes(name))
      .map((file) => ({ file, line: 1, text: 'No such section. Add it to scripts/spec/form.mjs.' })),
    ...missing.map((file) => ({ file, line: 1, text: 'This file is missing.' })),
  ];
}

/** In the order of the sections, and of the numbers within a section. @param {Requirement} a @param {Requirement} b */
function byId(a, b) {
  const place = (/** @type {Requirement} */ { id }) => {
    const [prefix, number] = id.split('-');
    return SECTIONS.findIndex(([, known]) => known === prefix) * 1e6 + Number(number);
  };
  return place(a) - place(b);
}
