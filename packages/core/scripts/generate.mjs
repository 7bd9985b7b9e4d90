/** Writes the files that are generated from the schemas; with `--check` it only reports the files that are out of date. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

import { DIRECTIONS, readSchemas } from './read-schemas.mjs';
import { writeMinimalChecks, writeMessageChecks } from './write-checks.mjs';
import { writeJsonSchema } from './write-json-schema.mjs';
import { writeTypes } from './write-types.mjs';
import { writeWirePage } from './write-wire-page.mjs';

const protocol = await readSchemas();
const source = (/** @type {string} */ text) =>
  formatted(`// Generated from src/schemas by \`pnpm --filter @proto/core generate\`; do not edit.\n\n${text}`);
const files = {
  ...Object.fromEntries(
    DIRECTIONS.map((direction) => [
      `../json-schema/${direction}.json`,
      `${JSON.stringify(writeJsonSchema(protocol, direction), null, 1)}\n`,
    ]),
  ),
  '../src/messages/message-types.ts': source(writeTypes(protocol)),
  '../src/messages/generated/message-checks.ts': source(writeMessageChecks(protocol)),
  '../src/messages/generated/minimal-checks.ts': source(writeMinimalChecks(protocol)),
  '../../../docs/wire.md': writeWirePage(protocol),
};

const isCheck = process.argv.includes('--check');
let stale = 0;
for (const [path, text] of Object.entries(files)) {
  const file = fileURLToPath(new URL(path, import.meta.url));
  if (currentText(file) === text) continue;
  stale++;
  if (isCheck) console.error(`out of date: ${path.replaceAll('../', '')}; run \`pnpm --filter @proto/core generate\``);
  else {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}
if (isCheck && stale > 0) process.exitCode = 1;

/** Formats a text like the sources of the repository, so that the written file is the committed file. */
function formatted(text) {
  const biome = fileURLToPath(new URL('../../../node_modules/.bin/biome', import.meta.url));
  return execFileSync(biome, ['format', '--stdin-file-path=generated.ts'], {
    input: text,
    encoding: 'utf8',
    maxBuffer: 1e8,
  });
}

function currentText(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
