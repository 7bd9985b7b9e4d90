import { describe, expect, test } from 'vitest';

import { documents, rows } from './rows.ts';

describe('rows', () => {
  test.each([
    ['S0', 78],
    ['S1', 33],
    ['S2', 90],
    ['S3', 17],
    ['S4', 27],
    ['R', 121],
    ['I', 43],
  ])('document %s holds %i rows', (id, count) => {
    expect(documents.find((document) => document.id === id)?.rows).toHaveLength(count);
  });

  test('ids are unique', () => {
    expect(new Set(rows.map((row) => row.id)).size).toBe(409);
    expect(rows).toHaveLength(409);
  });

  test('every row has a slug of its own: a subject and a behaviour, of two to six words together', () => {
    expect(new Set(rows.map((row) => row.slug)).size).toBe(409);
    for (const { id, slug } of rows) {
      expect(slug, id).toMatch(/^[a-z][a-z0-9]*(-[a-z0-9]+)*\/[a-z][a-z0-9]*(-[a-z0-9]+)*$/);
      expect(slug.split(/[/-]/).length, `${id} ${slug}`).toBeLessThanOrEqual(6);
    }
  });

  test('ids are well-formed and stand in their document, in order and without a gap', () => {
    for (const document of documents.filter(({ id }) => id.startsWith('S'))) {
      const numbered = document.rows.map((_, index) => `${document.id}-${String(index + 1).padStart(2, '0')}`);
      expect(document.rows.map((row) => row.id)).toEqual(numbered);
    }
    let [pain, requirement] = [0, 0];
    for (const { id } of documents.find((document) => document.id === 'R')?.rows ?? []) {
      [pain, requirement] = id === `R-${pain}.${requirement + 1}` ? [pain, requirement + 1] : [pain + 1, 1];
      expect(id).toBe(`R-${pain}.${requirement}`);
    }
    expect(pain).toBe(36);
  });

  test('the rows of the ingress are numbered within their section', () => {
    const numbers = new Map<string, number>();
    for (const { id } of documents.find((document) => document.id === 'I')?.rows ?? []) {
      const letter = id.slice(0, 3);
      const number = (numbers.get(letter) ?? 0) + 1;
      expect(id).toBe(`${letter}${number}`);
      numbers.set(letter, number);
    }
    expect([...numbers.keys()]).toEqual(['I-A', 'I-B', 'I-C', 'I-D', 'I-E']);
  });

  test('every row has a sentence and a source, and the tags are taken off the sentence', () => {
    for (const row of rows) {
      expect(row.sentence.trim(), row.id).toBe(row.sentence);
      expect(row.sentence.length, row.id).toBeGreaterThan(5);
      expect(row.source, row.id).not.toBe('');
      expect(row.sentence, row.id).not.toMatch(/^\[/);
    }
  });

  test('tags are of the known set, and every numbered row has some', () => {
    const parts = new Set(['core', 'stdio', 'ws', 'ccr', 'headless', 'adapters', 'cli', 'host']);
    for (const row of rows) {
      for (const tag of row.tags) expect(parts.has(tag) || /^seam:[a-zA-Z]+$/.test(tag), `${row.id} ${tag}`).toBe(true);
      if (row.id.startsWith('S')) expect(row.tags, row.id).not.toEqual([]);
    }
  });

  test('no two rows say the same', () => {
    expect(new Set(rows.map((row) => row.sentence)).size).toBe(rows.length);
  });

  test('no sentence names a place on a particular machine', () => {
    for (const row of rows) expect(row.sentence, row.id).not.toMatch(/\/(?:home|root|tmp|work|Users|mnt)\b/);
  });
});
