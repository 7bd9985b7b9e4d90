// Lists everything that the newest published types of the vendor's SDK declare but that is missing from the inventory of the protocol:
// node scripts/drift.mjs [--package VERSION|FILE.tgz|FOLDER] [--inventory FILE] [--json] [--write]
// node scripts/drift.mjs --native [--package VERSION] [SCENARIO…]
// Exit code: 0 if nothing differs, 1 if something differs, 2 if the types could not be read. Reads declarations only and runs no code of the package.
// --write updates the inventory and exits with 0.
// --native instead runs the agent of the newest version in the scenarios of `pnpm interop:claude`, and lists everything that the agent sends but that
// no schema names.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { changesBetween } from './drift/compare.mjs';
import { mergedInventory } from './drift/merged-inventory.mjs';
import { runNative } from './drift/run-native.mjs';
import { inventoryOf } from './drift/published-inventory.mjs';
import { DriftError, PACKAGE, readPackage } from './drift/published-package.mjs';
import { describeChanges } from './drift/describe-changes.mjs';

/** @typedef {import('./drift/published-inventory.mjs').Inventory} Inventory */

const INVENTORY = fileURLToPath(new URL('../packages/core/testdata/schema-inventory.json', import.meta.url));

/** @param {readonly string[]} args @returns {number} the exit code */
function run(args) {
  const { values: asked, positionals: scenarios } = optionsOf(args);
  if (asked.native) return runNative(asked.package, scenarios);
  if (scenarios.length > 0) throw new DriftError(`Unexpected argument ${scenarios[0]}: scenarios need --native.`);
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
      `${PACKAGE} ${found.version} differs from the inventory, which describes ${before}.\n\n${describeChanges(changes)}`,
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
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        package: { type: 'string', default: 'latest' },
        inventory: { type: 'string', default: INVENTORY },
        json: { type: 'boolean', default: false },
        write: { type: 'boolean', default: false },
        native: { type: 'boolean', default: false },
      },
    });
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
