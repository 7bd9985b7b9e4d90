import { LEVELS, SECTIONS } from './form.mjs';

/** @typedef {import('./form.mjs').Requirement} Requirement */

const BEGIN = '<!-- counts: written by scripts/spec.mjs -->';
const END = '<!-- end of counts -->';
const TITLE = '## Number of requirements';

/** The table of how many requirements each section has, as lines of Markdown. @param {readonly Requirement[]} requirements */
export function countTable(requirements) {
  const rows = SECTIONS.flatMap(([file, prefix]) => {
    const own = requirements.filter(({ id }) => id.startsWith(`${prefix}-`));
    return own.length === 0 ? [] : [row(`[${prefix}](${file})`, own)];
  });
  return [
    `| Section | ${LEVELS.join(' | ')} | all |`,
    `|---|${'---:|'.repeat(LEVELS.length + 1)}`,
    ...rows,
    row('all', requirements),
  ].join('\n');
}

/** @param {string} name @param {readonly Requirement[]} requirements */
function row(name, requirements) {
  const counts = LEVELS.map((level) => requirements.filter((requirement) => requirement.level === level).length);
  return `| ${[name, ...counts, requirements.length].join(' | ')} |`;
}

/**
 * Returns the README with the current table. If the README has no place for the table, the table is added at its end.
 * @param {string} readme
 * @param {readonly Requirement[]} requirements
 */
export function withCounts(readme, requirements) {
  const block = `${BEGIN}\n\n${countTable(requirements)}\n\n${END}`;
  const [begin, end] = [readme.indexOf(BEGIN), readme.indexOf(END)];
  if (begin < 0 || end < begin) return `${readme.trimEnd()}\n\n${TITLE}\n\n${block}\n`;
  return `${readme.slice(0, begin)}${block}${readme.slice(end + END.length)}`;
}
