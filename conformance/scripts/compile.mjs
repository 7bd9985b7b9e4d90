// Compiles cases/*/*.yaml and the requirements of the specification to cases.json, and writes the JSON Schema of a case.
// Reads the code of the suite from source, so nothing has to be compiled first.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = new URL('../', import.meta.url);
const { outputFiles } = await build({
  stdin: {
    contents: `export { SIDES, caseSchema } from './case-schema.ts';
      export { compileCases } from './compile-cases.ts';
      export { toJSONSchema } from 'zod';`,
    resolveDir: fileURLToPath(new URL('src/cases/', root)),
  },
  bundle: true,
  write: false,
  format: 'esm',
  // The bundled code is imported from a string, where `require` does not work. For Node, the package `yaml` is CommonJS; for other platforms, it is
  // ESM.
  platform: 'neutral',
  external: ['node:*'],
  conditions: ['@proto/source', 'module'],
});
/** @type {typeof import('../src/cases/case-schema.ts') & typeof import('../src/cases/compile-cases.ts') & Pick<typeof import('zod'), 'toJSONSchema'>} */
const { SIDES, caseSchema, compileCases, toJSONSchema } = await import(
  `data:text/javascript;base64,${Buffer.from(outputFiles[0]?.contents ?? '').toString('base64')}`
);
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
const schemas = SIDES.map((side) => toJSONSchema(caseSchema(side)));
const schema = { title: 'A file of cases', type: 'array', items: { anyOf: schemas } };
writeFileSync(new URL('case.schema.json', root), `${JSON.stringify(schema, null, 2)}\n`);
