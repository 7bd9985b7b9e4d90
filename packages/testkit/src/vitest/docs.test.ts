import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { contractCases } from './contract-cases.ts';

const STDIO = 'packages/transport-stdio/src';

/** A file of the repository. */
function file(path: string): string {
  return readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8');
}

/** Line breaks and indentation apart. */
function flat(code: string): string {
  return code.replace(/\s+/g, ' ').trim();
}

test('docs/transports.md names the cases of each point, and no others', () => {
  const written = file('docs/transports.md')
    .split(/^### /m)
    .slice(1)
    .flatMap((section) =>
      Array.from(section.matchAll(/^- \*(.*)\*$/gm), ([, title]) => [Number.parseInt(section, 10), title]),
    );
  expect(written).toEqual(contractCases.map(({ point, title }) => [point, title]));
});

test('docs/write-a-transport.md quotes the stdio transport as it is', () => {
  const sources = ['stdio-transport.ts', 'stdio-scheme.ts', 'stdio-contract.test.ts'].map((name) =>
    flat(file(`${STDIO}/${name}`)),
  );
  const snippets = Array.from(file('docs/write-a-transport.md').matchAll(/```ts\n(.*?)```/gs), ([, code]) =>
    flat(code ?? ''),
  );
  expect(snippets.filter((snippet) => !sources.some((source) => source.includes(snippet)))).toEqual([]);
  expect(snippets.length).toBeGreaterThan(4);
});
