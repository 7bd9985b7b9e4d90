/** Tests how tests name what they decide, and how the report reads these names. */
import { describe, expect, test } from 'vitest';

const { citingName, parseCitation } = await import(
  new URL('../../scripts/requirements/citation.mjs', import.meta.url).href
);

describe('citingName', () => {
  test('puts every id before the sentence', () => {
    expect(citingName(['CTL-7', 'QUEUE-3'], 'order is kept')).toBe('[CTL-7][QUEUE-3] order is kept');
  });

  test('marks a known failure after the ids', () => {
    expect(citingName(['CTL-7'], 'order is kept', true)).toBe('[CTL-7][known failure] order is kept');
  });
});

describe('parseCitation', () => {
  // A title that starts with an id would itself be a citation, so the title starts with "reads".
  test.each([
    ['[CTL-7][QUEUE-3] order is kept', ['CTL-7', 'QUEUE-3'], false],
    ['[CTL-7][known failure] order is kept', ['CTL-7'], true],
    ['order is kept', [], false],
    ['order of [CTL-7] is kept', [], false],
    ['[CTL-7] order of [QUEUE-3] is kept', ['CTL-7'], false],
    ['[core] order is kept', [], false],
    ['[known failure] order is kept', [], false],
    ['[CTL-7] a known failure: [known failure]', ['CTL-7'], false],
  ])('reads %s', (name, ids, isKnownFailure) => {
    expect(parseCitation(name)).toEqual({ ids, isKnownFailure });
  });

  test.each(['CTL-07', 'NONE-1', 'C-1', 'CTL-1.1', 'CTL-x'])('finds the id %s, which may be in no list', (id) => {
    expect(parseCitation(`[${id}] order is kept`).ids).toEqual([id]);
  });

  test('reads back what citingName writes', () => {
    expect(parseCitation(citingName(['CTL-7', 'QUEUE-3'], '[x] y', true))).toEqual({
      ids: ['CTL-7', 'QUEUE-3'],
      isKnownFailure: true,
    });
  });
});
