/** Tests where a fault is planted, and the error for a fault that does not fit. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';

const { plant } = await import(new URL('../../scripts/faults/plant.mjs', import.meta.url).href);

const folders: string[] = [];
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true })));

/** Creates a folder with one package that has one file. */
function workspace(text: string, file = 'counter.ts'): string {
  const folder = mkdtempSync(join(tmpdir(), 'faults-'));
  folders.push(folder);
  mkdirSync(join(folder, 'packages/p/src'), { recursive: true });
  writeFileSync(join(folder, 'packages/p/src', file), text);
  writeFileSync(join(folder, 'packages/p/package.json'), '{}');
  writeFileSync(join(folder, 'pnpm-workspace.yaml'), 'packages:\n  - packages/*\n');
  return folder;
}

const source = `const LIMIT = 3;
export class Counter {
  #count = 0;
  add(amount: number): number {
    if (this.#count + amount <= LIMIT) this.#keep(amount);
    return this.#count;
  }
  #keep(amount: number): void { this.#count += amount; }
}
export const options = { first: 1, last: 2 };`;

const fault = {
  id: 'p/off-by-one',
  in: 'p Counter.add',
  find: 'if (this.#$count + $amount <= $limit) $keep;',
  becomes: 'if (this.#$count + $amount < $limit) $keep;',
};

test('a fault replaces the syntax that it names', () => {
  const { path, text } = plant(workspace(source), fault);
  expect({ path, text }).toEqual({ path: 'packages/p/src/counter.ts', text: source.replace('<=', '<') });
});

test.each([
  ['a local name', source.replaceAll('amount', 'by')],
  ['a private member', source.replaceAll('#keep', '#take').replaceAll('#count', '#sum')],
  ['a constant of the file', source.replaceAll('LIMIT', 'MOST')],
])('a fault is still found after a change of %s', (_, changed) => {
  expect(plant(workspace(changed), fault).text).toBe(changed.replace('<=', '<'));
});

test('a fault is still found after a change of the layout', () => {
  const changed = source.replace('if (this.#count + amount <= LIMIT)', 'if (\n(this.#count) + amount\n <= LIMIT\n)');
  expect(plant(workspace(changed), fault).text).toContain('this.#count + amount < LIMIT');
});

test('a fault is still found after its file was renamed', () => {
  expect(plant(workspace(source, 'sum.ts'), fault).path).toBe('packages/p/src/sum.ts');
});

test('removing a statement leaves an empty statement, and removing a property leaves nothing', () => {
  const folder = workspace(source);
  const { text } = plant(folder, { ...fault, find: 'this.#$keep($amount);', becomes: '' });
  expect(text).toBe(source.replace('this.#keep(amount);', ';'));
  expect(plant(folder, { id: 'p/first', in: 'p options', find: 'first: 1', becomes: '' }).text).toBe(
    source.replace('first: 1,', ''),
  );
});

test.each([
  [
    'its syntax occurs twice',
    source.replace('return', 'if (this.#count + amount <= LIMIT) this.#keep(amount); return'),
  ],
  ['its syntax does not occur', source.replace('<=', '<')],
  ['nothing exports its name', source.replace('Counter', 'Sum')],
  ['its member does not exist', source.replace('add(', 'plus(')],
])('a fault is stale if %s', (_, changed) => {
  expect(() => plant(workspace(changed), fault)).toThrow('p/off-by-one is stale');
});

test('a replacement must not use a placeholder that the pattern does not have', () => {
  expect(() => plant(workspace(source), { ...fault, becomes: '$other;' })).toThrow('$other');
});
