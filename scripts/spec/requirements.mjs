import { entryOf } from './entry.mjs';
import { LEVELS, ROLES, SECTIONS } from './form.mjs';
import { partAt } from './headings.mjs';
import { withoutCode } from './read-page.mjs';

/** @typedef {import('./form.mjs').Page} Page */
/** @typedef {import('./form.mjs').Paragraph} Paragraph */
/** @typedef {import('./form.mjs').Problem} Problem */
/** @typedef {import('./form.mjs').Requirement} Requirement */

/** Longer names first: `MUST NOT` is one word. */
const LEVEL = new RegExp(`\\b(${LEVELS.toSorted((a, b) => b.length - a.length).join('|')})\\b`, 'g');
/** The same words in lower case: a reader cannot know whether they are binding. */
const SMALL = /\b(must|should|shall)\b/;
/** Words of RFC 2119 that mean the same as a level. */
const OTHER_WORDS = /\b(SHALL|REQUIRED|RECOMMENDED|OPTIONAL)\b/;
const MARK = /(?<=[.:?]) (Seen|Published|Ours|Model): /;

/**
 * Reads the requirements of a section, and checks each by itself.
 * @param {Page} page
 * @returns {{ requirements: readonly (Requirement & { line: number })[], problems: readonly Problem[] }}
 */
export function readRequirements(page) {
  const { file } = page;
  const prefix = SECTIONS.find(([name]) => name === file)?.[1] ?? '';
  /** @type {(Requirement & { line: number })[]} */
  const requirements = [];
  /** @type {Problem[]} */
  const problems = [];
  for (const paragraph of page.paragraphs) {
    const { line } = paragraph;
    const refuse = (/** @type {string} */ text) => void problems.push({ file, line, text });
    const entry = entryOf(paragraph);
    if (entry === undefined) {
      checkProse(paragraph, refuse);
      continue;
    }
    if (entry === 'malformed' || entry.marks === undefined) {
      refuse('A requirement has the form "**ABC-1** (role, role): Sentence.", in a separate paragraph.');
      continue;
    }
    const { id, marks: roles, text: rest } = entry;
    if (!id.startsWith(`${prefix}-`)) refuse(`The id ${id} must begin with ${prefix}-, the prefix of this section.`);
    const read = { id, roles: rolesOf(roles, refuse), ...ruleOf(rest, refuse) };
    const { number: section, title } = partAt(page, line);
    requirements.push({ ...ordered({ ...read, section, title }), line });
    checkOrigin(read, refuse);
  }
  return { requirements, problems };
}

/** Finds ids that occur twice. @param {readonly (Requirement & { file: string, line: number })[]} requirements @returns {readonly Problem[]} */
export function checkUnique(requirements) {
  /** @type {Map<string, string>} */
  const places = new Map();
  return requirements.flatMap(({ id, file, line }) => {
    const place = places.get(id);
    places.set(id, place ?? `${file}:${line}`);
    return place === undefined ? [] : [{ file, line, text: `The id ${id} occurs twice. The first place is ${place}.` }];
  });
}

/**
 * Finds ids of requirements that do not exist, in any text of the pages.
 * @param {readonly Page[]} pages
 * @param {readonly Requirement[]} requirements
 * @returns {readonly Problem[]}
 */
export function checkCited(pages, requirements) {
  const known = new Set(requirements.map(({ id }) => id));
  const ids = new RegExp(`\\b(?:${SECTIONS.map(([, prefix]) => prefix).join('|')})-\\d+\\b`, 'g');
  return pages.flatMap(({ file, paragraphs }) =>
    paragraphs.flatMap(({ text, line }) =>
      (text.match(ids) ?? []).flatMap((id) =>
        known.has(id) ? [] : [{ file, line, text: `No requirement has the id ${id}.` }],
      ),
    ),
  );
}

/** Finds requirements that are hidden in other text. @param {Paragraph} paragraph @param {(text: string) => void} refuse */
function checkProse({ text }, refuse) {
  const prose = withoutCode(text);
  if (/\*\*[A-Z]{3}-\d/.test(prose)) refuse('A requirement must be a separate paragraph.');
  const [word] = prose.match(LEVEL) ?? prose.match(OTHER_WORDS) ?? prose.match(SMALL) ?? [];
  if (word !== undefined) refuse(`"${word}" stands outside a requirement. Write a requirement, or use another word.`);
}

/** @param {string} text @param {(text: string) => void} refuse @returns {readonly string[]} */
function rolesOf(text, refuse) {
  const roles = text.split(', ');
  const unknown = roles.filter((role) => !ROLES.includes(role));
  if (unknown.length > 0) refuse(`No such role: ${unknown.join(', ')}. There are: ${ROLES.join(', ')}.`);
  if (new Set(roles).size < roles.length) refuse('A role is named twice.');
  return roles;
}

/**
 * Cuts the rule from its marks.
 * @param {string} said What follows the roles.
 * @param {(text: string) => void} refuse
 */
function ruleOf(said, refuse) {
  const [rule = '', ...marks] = said.split(MARK);
  const text = rule.trim();
  const levels = withoutCode(text).match(LEVEL) ?? [];
  if (levels.length !== 1)
    refuse(`A requirement has exactly one of ${LEVELS.join(', ')}; this one has ${levels.length}.`);
  if (OTHER_WORDS.test(withoutCode(said))) refuse(`Use only the words ${LEVELS.join(', ')}.`);
  if (!text.endsWith('.')) refuse('The rule must end with a full stop, before its marks.');
  /** @type {Record<string, string>} */
  const marked = {};
  for (let at = 0; at < marks.length; at += 2) {
    const [name = '', value = ''] = [marks[at], marks[at + 1]?.trim()];
    if (withoutCode(value).match(LEVEL) !== null) refuse(`A word of RFC 2119 follows "${name}:".`);
    if (!value.endsWith('.') || value.length < 2) refuse(`What follows "${name}:" must end with a full stop.`);
    if (marked[name] !== undefined) refuse(`The mark "${name}:" occurs twice.`);
    marked[name] = value.replace(/\.$/, '');
  }
  return { level: levels[0] ?? '', text, ...marksOf(marked, refuse) };
}

/**
 * @param {Readonly<Record<string, string>>} marked The text of each mark, without its full stop.
 * @param {(text: string) => void} refuse
 * @returns {Pick<Requirement, 'seen' | 'origin' | 'note' | 'model'>}
 */
function marksOf({ Seen, Published, Ours, Model }, refuse) {
  if (Published !== undefined && Ours !== undefined) refuse('A rule is either published or ours.');
  const programs = Seen === undefined ? [] : Seen.split(/, (?![^(]*\))/);
  const seen = programs.map((program) => program.replace(/ \(.*\)$/s, ''));
  for (const name of seen) {
    if (!/\d/.test(name)) refuse(`"Seen:" names programs with their versions; "${name}" has no version.`);
  }
  const whys = programs.flatMap((program) => / \((.*)\)$/s.exec(program)?.[1] ?? []);
  const note = Published ?? Ours ?? (whys.length === 0 ? undefined : whys.join('; '));
  const origin = Ours !== undefined ? 'ours' : Published !== undefined ? 'published' : 'seen';
  const model = Model?.split(', ').map((name) => name.replace(/^`(\w+)`$/, '$1'));
  if (model?.some((name) => !/^\w+$/.test(name))) refuse('"Model:" has names of invariants in backquotes.');
  return { seen, origin, ...(note !== undefined && { note }), ...(model !== undefined && { model }) };
}

/**
 * Checks that a rule says where it comes from. If no published program follows a rule, the level of the rule for agents and hosts must be SHOULD or
 * weaker.
 * @param {Pick<Requirement, 'roles' | 'level' | 'seen' | 'origin'>} read
 * @param {(text: string) => void} refuse
 */
function checkOrigin({ roles, level, seen, origin }, refuse) {
  if (origin === 'seen' && seen.length === 0)
    refuse('Say where the rule comes from: "Seen:", "Published:" or "Ours:".');
  const isBinding = level.startsWith('MUST') && roles.some((role) => role === 'agent' || role === 'host');
  if (origin === 'ours' && seen.length === 0 && isBinding) {
    refuse('A rule of ours that no program was seen to keep binds agents and hosts with SHOULD at most.');
  }
}

/** The members in the order of `requirements.json`. @param {Requirement} requirement @returns {Requirement} */
function ordered({ note, model, ...read }) {
  const { id, section, title, level, roles, text, seen, origin } = read;
  const marks = { ...(note !== undefined && { note }), ...(model !== undefined && { model }) };
  return { id, section, title, level, roles, text, seen, origin, ...marks };
}
