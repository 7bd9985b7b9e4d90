import { describe, expect, test } from 'vitest';

import { citingName, parseCitation } from './citation.ts';

describe('citingName', () => {
  test('puts every row before the sentence', () => {
    expect(citingName(['S2-11 order/kept', 'R-5.1 framing/fast'], 'order is kept')).toBe(
      '[S2-11 order/kept][R-5.1 framing/fast] order is kept',
    );
  });

  test('marks a known failure after the rows', () => {
    expect(citingName(['S2-11'], 'order is kept', true)).toBe('[S2-11][known failure] order is kept');
  });
});

describe('parseCitation', () => {
  // A title starting with an id would itself be a citation in this package's results, hence "reads".
  test.each([
    ['[S2-11][R-5.1] order is kept', ['S2-11', 'R-5.1'], false],
    ['[S2-11 order/kept][R-5.1 framing/fast-enough] order is kept', ['S2-11', 'R-5.1'], false],
    ['[S2-11 order/kept][known failure] order is kept', ['S2-11'], true],
    ['[S2-11] [R-5.1] order is kept', ['S2-11', 'R-5.1'], false],
    ['[S2-11][known failure] order is kept', ['S2-11'], true],
    ['order is kept', [], false],
    ['order of [S2-11] is kept', [], false],
    ['[I-A1][R-1.1] order is kept', ['I-A1', 'R-1.1'], false],
    ['[S2-11] order of [R-5.1] is kept', ['S2-11'], false],
    ['[core] order is kept', [], false],
    ['[known failure] order is kept', [], false],
    ['[S2-11] a known failure: [known failure]', ['S2-11'], false],
  ])('reads %s', (name, ids, knownFailure) => {
    expect(parseCitation(name)).toEqual({ ids, knownFailure });
  });

  test.each(['S2-1', 'S22-011', 'S9-01', 'R-5', 'R-5.1.1', 'R-5.x', 'I-1'])('finds the ill-formed id %s', (id) => {
    expect(parseCitation(`[${id}] order is kept`).ids).toEqual([id]);
  });

  test('reads back what citingName writes', () => {
    expect(parseCitation(citingName(['S2-11 order/kept', 'R-5.1'], '[x] y', true))).toEqual({
      ids: ['S2-11', 'R-5.1'],
      knownFailure: true,
    });
  });
});
