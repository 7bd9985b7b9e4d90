// The registry of the specification: the names in the tables of the sections, by kind.
import { partAt } from './headings.mjs';

/** @typedef {import('./form.mjs').Page} Page */

/** The file of the registry. */
export const REGISTRY = 'registry.md';

/** The kinds of names: the title, and the first cells of the tables that define the names. */
const KINDS = [
  ['Capabilities', '| Capability |'],
  ['Error codes of control responses', '| `error_code` |'],
  ['Types of refused entries', '| `error.type` |'],
  ['Reasons of a conflict', '| reason |'],
  ['Frames of event streams', '| `event:` |'],
  ['Close codes of WebSockets', '| code | meaning |'],
  ['Flags', '| Flag |'],
  ['Environment variables', '| Variable |'],
];

/** The text of the file. @param {readonly Page[]} sections */
export function registry(sections) {
  return `# Registry

This page lists the names that the specification defines in its tables. The command \`node scripts/spec.mjs\` writes the page. [Tables](tables.md) lists the messages, the control requests, the events of hooks and their members. [Section 18](18-extensions.md) describes which names are reserved for extensions, and how a name is added.

${KINDS.map(([title = '', head = '']) => `## ${title}\n\n${namesIn(sections, head).join('\n')}\n`).join('\n')}`;
}

/** @param {readonly Page[]} sections @param {string} head @returns {string[]} */
function namesIn(sections, head) {
  return sections.flatMap((page) =>
    page.paragraphs
      .filter(({ text }) => text.startsWith(head))
      .flatMap(({ text, line }) => {
        const { number, title } = partAt(page, line);
        const heading = page.headings.findLast((candidate) => candidate.line <= line);
        const names = text
          .split('\n')
          .slice(2)
          .map((row) => row.split(' | ')[0]?.replace('| ', '').trim() ?? '');
        return [`In [${number} ${title}](${page.file}#${heading?.slug}): ${[...new Set(names)].join(', ')}.`];
      }),
  );
}
