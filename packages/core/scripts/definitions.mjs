import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';

const folder = fileURLToPath(new URL('../src/messages/', import.meta.url));

/**
 * @typedef {object} Definition a named type, with the schema it is inferred from
 * @property {string} name
 * @property {string} doc the sentence in front of it
 * @property {any} schema
 */

/**
 * Loads the schemas from source, and the names and sentences of the types that are inferred from them.
 *
 * @returns {Promise<{ definitions: Definition[], messages: any, json: any }>}
 */
export async function loadDefinitions() {
  const files = sourceFiles();
  const modules = await importBundled(files);
  const definitions = files.flatMap((file, index) =>
    typesIn(readFileSync(folder + file, 'utf8')).map(({ name, doc, expression }) => {
      const lazy = expression.split('.').reduce((value, member) => value?.[member], modules[`file${index}`]);
      if (typeof lazy !== 'function')
        throw new Error(`${file}: ${name} is inferred from ${expression}, which is not exported`);
      return { name, doc, schema: lazy() };
    }),
  );
  return { definitions, messages: modules.messages, json: modules.json };
}

function sourceFiles() {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !/\.test|index\.ts$/.test(file))
    .toSorted();
}

/** @param {string} source */
function typesIn(source) {
  const declared = source.matchAll(/\/\*\*((?:(?!\*\/)[^])*)\*\/\nexport type (\w+) = Infer<\s*typeof ([\w.]+)\s*>;/g);
  return [...declared].map(([, comment = '', name = '', expression = '']) => ({
    name,
    expression,
    doc: comment
      .replaceAll(/^\s*\* ?/gm, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  }));
}

/** @param {string[]} files */
async function importBundled(files) {
  const lines = [
    ...files.map((file, index) => `export * as file${index} from './${file}';`),
    `export * as messages from './index.ts';`,
    `import { isCarried, object } from './object-schema.ts';`,
    `import { literal, string } from './schema.ts';`,
    `import { openUnion } from './union-schema.ts';`,
    `import { uuid } from './uuid.ts';`,
    `import { hookInput, hookSpecificOutput } from './hooks/hook-events.ts';`,
    `import * as z from 'zod/mini';`,
    `import { toJSONSchema } from 'zod/v4/core';`,
    `export const json = { isCarried, uuid, hookInput, hookSpecificOutput, metaOf: (schema) => z.globalRegistry.get(schema), toJSONSchema, registry: z.registry, literal, string, object, openUnion };`,
  ];
  const { outputFiles } = await build({
    stdin: { contents: lines.join('\n'), resolveDir: folder, loader: 'ts' },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    logLevel: 'error',
  });
  const code = Buffer.from(outputFiles[0]?.contents ?? []).toString('base64');
  return import(`data:text/javascript;base64,${code}`);
}
