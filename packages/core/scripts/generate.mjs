/** Writes the files that follow from the schemas; with `--check` only says which of them are out of date. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { dirname } from 'node:path';

import { loadDefinitions } from './definitions.mjs';
import { directionSchema } from './json-schema.mjs';
import { messageTypes, messageTypesTest } from './message-types.mjs';
import { wireCatalogue } from './wire-catalogue.mjs';

const loaded = await loadDefinitions();
const json = (value) => `${JSON.stringify(value, null, 1)}\n`;
const files = {
  '../json-schema/from-agent.json': json(directionSchema(loaded, 'from-agent')),
  '../json-schema/from-host.json': json(directionSchema(loaded, 'from-host')),
  '../src/messages/message-types.ts': formatted(messageTypes(loaded)),
  '../src/messages/message-types.test-d.ts': formatted(messageTypesTest(loaded)),
  '../../../docs/wire.md': wireCatalogue(loaded),
};

const check = process.argv.includes('--check');
let stale = 0;
for (const [path, text] of Object.entries(files)) {
  const file = fileURLToPath(new URL(path, import.meta.url));
  if (currentText(file) === text) continue;
  stale++;
  if (check) console.error(`out of date: ${path.replaceAll('../', '')}; run \`pnpm --filter @proto/core generate\``);
  else {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}
if (check && stale > 0) process.exitCode = 1;

/** As the repository formats its sources, so that what is written is what is committed. */
function formatted(source) {
  const biome = fileURLToPath(new URL('../../../node_modules/.bin/biome', import.meta.url));
  return execFileSync(biome, ['format', '--stdin-file-path=types.ts'], { input: source, encoding: 'utf8' });
}

function currentText(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
