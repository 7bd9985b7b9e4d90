// The form of the specification: its sections, the roles, the key words of RFC 2119, and the parsed content of a file.

/** The sections, in their order: the name of the file without its number, and the prefix of its ids. */
export const SECTIONS = /** @type {const} */ ([
  ['01-framing.md', 'FRM'],
  ['02-messages.md', 'MSG'],
  ['03-control.md', 'CTL'],
  ['04-turns-and-sessions.md', 'TRN'],
  ['05-permissions.md', 'PRM'],
  ['06-hooks.md', 'HOK'],
  ['07-mcp.md', 'MCP'],
  ['08-interrupts-and-tasks.md', 'INT'],
  ['09-command-line.md', 'CLI'],
  ['10-remote-sessions.md', 'REM'],
  ['11-event-streams.md', 'EVS'],
  ['12-websocket.md', 'WSK'],
  ['13-resume.md', 'RES'],
  ['14-worker-lease.md', 'WRK'],
  ['15-errors.md', 'ERR'],
  ['16-security.md', 'SEC'],
  ['17-versions.md', 'VER'],
  ['18-extensions.md', 'EXT'],
]);

/** The files that are not sections: they have neither numbered headings nor requirements. */
export const README = 'README.md';
export const OTHERS = [README, 'CHANGELOG.md', 'tables.md', 'registry.md'];

export const ROLES = ['agent', 'host', 'server', 'viewer', 'worker'];

/** The words of RFC 2119 that a requirement may have. */
export const LEVELS = ['MUST', 'MUST NOT', 'SHOULD', 'SHOULD NOT', 'MAY'];

/** @typedef {{ file: string, line: number, text: string }} Problem A place where a file breaks a rule, and the rule. */

/**
 * @typedef {object} Requirement
 * @property {string} id
 * @property {string} section The number of the part that contains it, such as `3.2`.
 * @property {string} title The title of that part.
 * @property {string} level One of `LEVELS`.
 * @property {readonly string[]} roles
 * @property {string} text The rule, in Markdown, without its marks.
 * @property {readonly string[]} seen The programs that were observed to follow the rule, or that fail if another program breaks it.
 * @property {'seen' | 'published' | 'ours'} origin
 * @property {readonly string[]} [model] The invariants of the model that depend on the rule.
 * @property {string} [note] What the mark `Published:` or `Ours:` says, and what stands in brackets after a program.
 */

/** @typedef {{ level: number, text: string, slug: string, line: number }} Heading */
/** @typedef {{ kind: string, before: string, text: string, line: number }} Block A fenced block, and the text line before it. */
/** @typedef {{ text: string, line: number }} Paragraph Lines between blank lines, outside of blocks. */

/**
 * @typedef {object} Page A Markdown file, cut into its parts.
 * @property {string} file
 * @property {readonly Heading[]} headings
 * @property {readonly Block[]} blocks
 * @property {readonly Paragraph[]} paragraphs Without the headings.
 */
