import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { contractCases } from './contract-cases.ts';

const STDIO = 'packages/transport-stdio/src';
const TCP = 'examples/tcp-transport';

/** A file of the repository. */
function file(path: string): string {
  return readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8');
}

/** Replaces line breaks and indentation with single blanks. */
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

test.each([
  ['ts', STDIO, ['stdio-transport.ts', 'stdio-scheme.ts']],
  ['js', TCP, ['tcp-transport.mjs', 'contract.test.mjs']],
])('docs/write-a-transport.md quotes code in %s from %s as it is', (language, folder, names) => {
  const sources = names.map((name) => flat(file(`${folder}/${name}`)));
  const blocks = file('docs/write-a-transport.md').matchAll(/```(\w+)\n(.*?)```/gs);
  const snippets = Array.from(blocks).flatMap(([, given, code = '']) => (given === language ? [flat(code)] : []));
  expect(snippets.filter((snippet) => !sources.some((source) => source.includes(snippet)))).toEqual([]);
  expect(snippets.length).toBeGreaterThan(4);
});

test('the transport over TCP has at most 150 lines, and imports public entries only', () => {
  const source = file(`${TCP}/tcp-transport.mjs`);
  expect(source.trimEnd().split('\n').length).toBeLessThanOrEqual(150);
  const imported = Array.from(source.matchAll(/from '(@proto\/[^']+)'/g), ([, name]) => name);
  expect(imported).toEqual(['framing', 'network', 'reconnect', 'transport'].map((entry) => `@proto/core/${entry}`));
});
