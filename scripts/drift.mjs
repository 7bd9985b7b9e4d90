// Lists what the newest published types of the vendor's SDK declare and the inventory of the protocol lacks:
// node scripts/drift.mjs [--package VERSION|FILE.tgz|FOLDER] [--inventory FILE] [--json] [--write]
// Exit code: 0 if nothing differs, 1 if something differs, 2 if the types could not be read. Reads declarations only and runs no code of the package.
// --write updates the inventory and exits with 0.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { changesBetween } from './drift/compare.mjs';
import { mergedInventory } from './drift/merged-inventory.mjs';
import { inventoryOf } from './drift/published-inventory.mjs';
import { DriftError, PACKAGE, readPackage } from './drift/published-package.mjs';
import { toldInWords } from './drift/told.mjs';

/** @typedef {import('./drift/published-inventory.mjs').Inventory} Inventory */

const INVENTORY = fileURLToPath(new URL('../packages/core/testdata/schema-inventory.json', import.meta.url));

/** @param {readonly string[]} args @returns {number} the exit code */
function run(args) {
  const asked = optionsOf(args);
  const known = readInventory(asked.inventory);
  const found = readPackage(asked.package);
  const published = inventoryOf(found.files, known);
  const changes = changesBetween(known, published);
  const before = String(known.generatedFrom['version']);
  if (asked.json) console.log(JSON.stringify({ known: before, published: found.version, changes }, null, 2));
  else if (changes.length === 0)
    console.log(`${PACKAGE} ${found.version} declares the same as the inventory (of ${before}). Nothing is new.`);
  else
    console.log(
      `${PACKAGE} ${found.version} differs from the inventory, which describes ${before}.\n\n${toldInWords(changes)}`,
    );
  if (!asked.write) return changes.length === 0 ? 0 : 1;
  write(asked.inventory, mergedInventory(known, published, found));
  if (asked.json) return 0;
  console.log(`\nWritten: ${asked.inventory}`);
  if (changes.some(({ of, change }) => change === 'new' && /^(message|control request) /.test(of)))
    console.log('Declarations do not say who sends a message or a request: check the direction of each new entry.');
  return 0;
}

/** @param {readonly string[]} args */
function optionsOf(args) {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        package: { type: 'string', default: 'latest' },
        inventory: { type: 'string', default: INVENTORY },
        json: { type: 'boolean', default: false },
        write: { type: 'boolean', default: false },
      },
    });
    return values;
  } catch (error) {
    throw new DriftError(error instanceof Error ? error.message : String(error));
  }
}

/** @param {string} file @returns {Inventory} */
function readInventory(file) {
  try {
    const lists = { topLevelTypes: [], messages: [], controlRequests: [], hookEvents: [] };
    const empty = {
      generatedFrom: {},
      counts: {},
      ...lists,
      sharedTypes: {},
      enums: {},
      otherTypes: {},
      clientTypes: {},
    };
    // The sections stay in the order of the file.
    const read = JSON.parse(readFileSync(file, 'utf8'));
    return { ...read, ...empty, ...read };
  } catch (error) {
    throw new DriftError(`The inventory ${file} cannot be read: ${String(error)}`, { cause: error });
  }
}

/** @param {string} file @param {Inventory} inventory */
function write(file, inventory) {
  writeFileSync(file, `${JSON.stringify(inventory, null, 1)}\n`);
}

try {
  process.exitCode = run(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof DriftError)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}
