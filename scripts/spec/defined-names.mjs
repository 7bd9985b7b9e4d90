// The names that the specification defines: in code, in examples and in the JSON Schemas.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { readPage } from './read-page.mjs';

/** @typedef {import('./used-names.mjs').Kind} Kind */
/** @typedef {Readonly<Record<Kind, ReadonlySet<string>>>} Defined */

/** The pages that define what only the suite sends to an adapter, and what only the suite adds to a message. */
const SUITE_PAGES = ['conformance-hosts.md', 'conformance-servers.md'];

/**
 * @param {string} folder The folder of the specification.
 * @returns {Defined}
 */
export function definedNames(folder) {
  const texts = readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .map((name) => readFileSync(join(folder, name), 'utf8'));
  const suiteTexts = SUITE_PAGES.map((name) => readFileSync(join(folder, '../docs', name), 'utf8'));
  const spans = texts.flatMap(spansOf);
  const schemas = readdirSync(join(folder, 'schema')).map((name) => readFileSync(join(folder, 'schema', name), 'utf8'));
  const members = new Set(words(spans));
  // `system/init` is the subtype `init` of the type `system`.
  const values = new Set(spans.flatMap((span) => [span, ...span.split('/')]));
  for (const text of schemas) readSchema(JSON.parse(text), members, values);
  for (const text of texts) readExamples(text, members, values);
  for (const name of words(suiteTexts.flatMap(spansOf))) {
    members.add(name);
    values.add(name);
  }
  const parameters = texts.flatMap((text) =>
    Array.from(text.matchAll(/parameters? (?:such as )?`(\w+)`|`(\w+)=[^`]*`/g)),
  );
  return {
    flag: new Set(spans.flatMap((span) => span.match(/^--?[a-z][\w-]*/)?.[0] ?? [])),
    variable: new Set(spans),
    header: new Set(spans.map((span) => span.replace(/:.*/, '').toLowerCase())),
    path: new Set(spans.flatMap((span) => /^(?:[A-Z]+ )?(?:\{base\})?(\/?[\w/-]+)$/.exec(span)?.[1] ?? [])),
    parameter: new Set(parameters.map(([, named, given]) => named ?? given ?? '')),
    value: values,
    member: members,
    call: new Set(suiteTexts.flatMap(callsOf)),
  };
}

/** What stands between backquotes, outside of blocks. @param {string} text @returns {string[]} */
function spansOf(text) {
  return readPage('', text).paragraphs.flatMap((paragraph) =>
    Array.from(paragraph.text.matchAll(/`([^`]+)`/g), ([, span = '']) => span),
  );
}

/** The names in spans of code: a span that is a name or a path of names, and the members of an object. @param {readonly string[]} spans @returns {string[]} */
function words(spans) {
  return spans.flatMap((span) => {
    if (span.startsWith('{')) return Array.from(span.matchAll(/"(\w+)":/g), ([, name = '']) => name);
    return /\s/.test(span) ? [] : [span, ...span.split(/[./:=]/)];
  });
}

/** @param {unknown} schema @param {Set<string>} members @param {Set<string>} values */
function readSchema(schema, members, values) {
  if (Array.isArray(schema)) for (const part of schema) readSchema(part, members, values);
  if (typeof schema !== 'object' || schema === null) return;
  for (const [name, part] of Object.entries(schema)) {
    if (name === 'properties') for (const member of Object.keys(part)) members.add(member);
    if (name === 'const' || name === 'enum') for (const value of [part].flat()) values.add(String(value));
    readSchema(part, members, values);
  }
}

/** Each line of an example, or the whole block, is JSON. @param {string} text @param {Set<string>} members @param {Set<string>} values */
function readExamples(text, members, values) {
  for (const block of readPage('', text).blocks) {
    if (block.kind !== 'json') continue;
    for (const [, member = '', value] of block.text.matchAll(/"([^"\\]+)":(?:"([^"\\]*)")?/g)) {
      members.add(member);
      if (value !== undefined) values.add(value);
    }
  }
}

/** The methods of the order `call`: the first column of their table. @param {string} text @returns {string[]} */
function callsOf(text) {
  const table = readPage('', text).paragraphs.find((paragraph) => paragraph.text.startsWith('| Method |'));
  return Array.from((table?.text ?? '').matchAll(/^\| `(\w+)` \|/gm), ([, name = '']) => name);
}
