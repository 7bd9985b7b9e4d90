// Writes docs/openapi.json from the routes of the server. Build first.
import { writeFileSync } from 'node:fs';
import { openApiDocument } from '../dist/operate.js';

const file = new URL('../../../docs/openapi.json', import.meta.url);
writeFileSync(file, `${JSON.stringify(openApiDocument(), null, 2)}\n`);
