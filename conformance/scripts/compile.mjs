// Compiles cases/*/*.yaml and the requirements of the specification to cases.json, and writes the JSON Schema of a case.
// Runs after the compiler, and uses what it wrote.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import * as z from 'zod';

import { SIDES, caseSchema } from '../dist/cases/case-schema.js';
import { compileCases } from '../dist/cases/compile-cases.js';

const root = new URL('../', import.meta.url);
const spec = new URL('../spec/', root);
const requirements = JSON.parse(readFileSync(new URL('requirements.json', spec), 'utf8')).map(
  ({ id, section, title, level, roles, text }) => ({ id, section, title, level, roles, text }),
);
const version = /^Version: \*\*(.+?)\*\*/m.exec(readFileSync(new URL('README.md', spec), 'utf8'))?.[1];

const files = SIDES.filter((side) => existsSync(new URL(`cases/${side}/`, root))).flatMap((side) =>
  readdirSync(new URL(`cases/${side}/`, root))
    .filter((name) => name.endsWith('.yaml'))
    .toSorted()
    .map((name) => ({
      side,
      subject: name.replace(/\.yaml$/, ''),
      text: readFileSync(new URL(`cases/${side}/${name}`, root), 'utf8'),
    })),
);
const { cases, problems } = compileCases(files, requirements);
if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exit(1);
}
writeFileSync(new URL('cases.json', root), `${JSON.stringify({ spec: version, requirements, cases })}\n`);
const schemas = SIDES.map((side) => z.toJSONSchema(caseSchema(side)));
const schema = { title: 'A file of cases', type: 'array', items: { anyOf: schemas } };
writeFileSync(new URL('case.schema.json', root), `${JSON.stringify(schema, null, 2)}\n`);
