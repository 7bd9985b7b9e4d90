// Builds the page: one HTML file that contains its script and its style, and loads nothing else. The descriptions from the schemas are in a second
// file. The page requests this file when the user asks for an explanation of a frame.
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { build } from 'esbuild';

/** @type {import('esbuild').BuildOptions & { readonly write: false }} */
const options = {
  bundle: true,
  minify: true,
  write: false,
  target: ['chrome111', 'firefox113', 'safari16.4'],
  legalComments: 'none',
  conditions: ['@proto/source', 'module'],
};
const [script, style] = await Promise.all([
  build({
    ...options,
    entryPoints: ['src/page/main.tsx'],
    format: 'iife',
    platform: 'browser',
    jsx: 'automatic',
    jsxImportSource: 'preact',
  }),
  build({ ...options, entryPoints: ['src/page/view/style.css'] }),
]);
/** @param {{ readonly outputFiles: readonly { readonly text: string }[] }} built */
function textOf({ outputFiles: [file] }) {
  if (file === undefined) throw new Error('esbuild did not write a file');
  return file.text;
}
// An end tag in a string of the script would end the script element.
const code = textOf(script).trim().replaceAll('</script', '<\\/script');
const html = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Inspector</title>
<link rel="icon" href="data:,">
<style>${textOf(style).trim()}</style>
<div id="app"></div>
<script>${code}</script>
</html>
`;
const require = createRequire(import.meta.url);
const schemaOf = async (/** @type {string} */ direction) =>
  JSON.parse(await readFile(require.resolve(`@proto/core/json-schema/${direction}.json`), 'utf8'));
const schemas = { 'from-agent': await schemaOf('from-agent'), 'from-host': await schemaOf('from-host') };
await rm('dist', { recursive: true, force: true });
await mkdir('dist', { recursive: true });
await writeFile('dist/inspector.html', html);
await writeFile('dist/inspector-schemas.json', JSON.stringify(schemas));
