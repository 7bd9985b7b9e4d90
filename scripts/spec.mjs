// Checks the form of the specification in spec/, and writes spec/requirements.json, spec/registry.md and the table of counts in spec/README.md from
// its sections, and spec/schema/ and spec/tables.md from the JSON Schemas of @proto/core: node scripts/spec.mjs [--check] [--folder FOLDER]. --check
// writes nothing, and fails if these files are not up to date, or if the conformance suite does not follow from the specification. Build first: the
// examples are checked with the built @proto/core. Exit code: 0 if all is well, 1 if a file breaks a rule or is not up to date, 2 for a wrong command
// or a missing build.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

import { withCounts } from './spec/counts.mjs';
import { contractProblems } from './spec/contract.mjs';
import { UNTESTED, citedBySuite, citedByTests, coverageProblems, untestedClients } from './spec/coverage.mjs';
import { README } from './spec/form.mjs';
import { readSpec } from './spec/read-spec.mjs';
import { REGISTRY, registry } from './spec/registry.mjs';
import { SCHEMAS, schemaFiles, unlinkedSchemas } from './spec/schemas.mjs';
import { TABLES, tables } from './spec/tables.mjs';
import { writeJson } from './write-json.mjs';

/** @typedef {import('./spec/form.mjs').Page} Page */
/** @typedef {import('./spec/form.mjs').Requirement} Requirement */

const MESSAGES = new URL('../packages/core/dist/messages/index.js', import.meta.url);
const SPEC = fileURLToPath(new URL('../spec', import.meta.url));

/** @param {readonly string[]} args @returns {Promise<number>} the exit code */
async function run(args) {
  const asked = optionsOf(args);
  if (asked === undefined) return 2;
  if (!existsSync(MESSAGES)) {
    console.error('The examples are checked with the built packages. Build first: npm run build');
    return 2;
  }
  const { parseMessage } = await import(MESSAGES.href);
  const folder = resolve(asked.folder);
  if (!asked.check && existsSync(join(folder, README))) writeSchemas(folder);
  const { requirements, sections, problems } = readSpec(folder, parseMessage);
  for (const { file, line, text } of problems) console.error(`${file}:${line}: ${text}`);
  if (problems.length > 0) return 1;
  if (asked.check) return check(folder, requirements, sections) || checkCoverage(folder, requirements);
  writeJson(pathToFileURL(join(folder, 'requirements.json')), requirements);
  const readme = join(folder, README);
  if (existsSync(readme)) {
    writeFileSync(readme, withCounts(readFileSync(readme, 'utf8'), requirements));
    writeFileSync(join(folder, TABLES), tables());
    writeFileSync(join(folder, REGISTRY), registry(sections));
  }
  console.log(`${requirements.length} requirements`);
  return 0;
}

/** @param {readonly string[]} args */
function optionsOf(args) {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { check: { type: 'boolean', default: false }, folder: { type: 'string', default: SPEC } },
    });
    return values;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return undefined;
  }
}

/** @param {string} folder @param {readonly Requirement[]} requirements @param {readonly Page[]} sections @returns {number} the exit code */
function check(folder, requirements, sections) {
  const readme = textOf(join(folder, README));
  const stale = [
    // The formatter decides the layout of the file.
    ...(sameJson(textOf(join(folder, 'requirements.json')), requirements) ? [] : ['requirements.json']),
    ...(readme === undefined || readme === withCounts(readme, requirements) ? [] : [README]),
    ...(readme === undefined || textOf(join(folder, TABLES)) === tables() ? [] : [TABLES]),
    ...(readme === undefined || textOf(join(folder, REGISTRY)) === registry(sections) ? [] : [REGISTRY]),
    ...(readme === undefined ? [] : staleSchemas(folder)),
  ];
  if (stale.length === 0) return 0;
  console.error(`Not up to date: ${stale.join(', ')}. Run: node scripts/spec.mjs`);
  return 1;
}

/** The sections link these files. @param {string} folder */
function writeSchemas(folder) {
  mkdirSync(join(folder, SCHEMAS), { recursive: true });
  for (const [file, text] of schemaFiles()) writeFileSync(join(folder, file), text);
}

/** @param {string} folder @returns {readonly string[]} */
function staleSchemas(folder) {
  return [...schemaFiles()].flatMap(([file, text]) => (textOf(join(folder, file)) === text ? [] : [file]));
}

/** Whether the conformance suite tests each MUST, and uses only what the specification defines. @param {string} folder @param {readonly Requirement[]} requirements @returns {Promise<number>} the exit code */
async function checkCoverage(folder, requirements) {
  const untested = textOf(join(folder, UNTESTED));
  // A specification that is still being written does not have this list.
  if (untested === undefined) return 0;
  const problems = [
    ...coverageProblems(requirements, await citedBySuite(), JSON.parse(untested)),
    ...untestedClients(requirements, citedByTests()),
    ...contractProblems(folder, requirements),
    ...unlinkedSchemas((page) => textOf(join(folder, page)) ?? ''),
  ];
  for (const problem of problems) console.error(problem);
  return problems.length === 0 ? 0 : 1;
}

/** @param {string | undefined} text @param {unknown} value */
function sameJson(text, value) {
  try {
    return JSON.stringify(JSON.parse(text ?? '')) === JSON.stringify(value);
  } catch {
    return false;
  }
}

/** @param {string} path @returns {string | undefined} */
function textOf(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

process.exitCode = await run(process.argv.slice(2));
