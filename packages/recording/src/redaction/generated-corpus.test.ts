import { verifies } from '@proto/test-support/verifies';
import { describe, expect, test } from 'vitest';
import { CARRIERS, LOOKALIKES, SAMPLES } from './generated-corpus.test-support.ts';
import { ISSUER_RULES } from './issuer-rules.ts';
import { createRedactor } from './redactor.ts';
import { keyRuns } from './key-runs.ts';
import { redactedPieces } from './streamed-pieces.ts';

const redactor = createRedactor();

/** Whether eight consecutive characters of a secret, after its prefix, are left over. Nobody can guess that many characters. */
function isLeft(secret: string, clean: string): boolean {
  for (let at = Math.floor(secret.length / 3); at + 8 <= secret.length; at++) {
    if (clean.includes(secret.slice(at, at + 8))) return true;
  }
  return clean.includes(secret);
}

describe('secrets of every kind', () => {
  for (const [carrier, carry] of Object.entries(CARRIERS)) {
    verifies('SAFE-6', `are removed from ${carrier}`, () => {
      const left = SAMPLES.filter((sample) => isLeft(sample.secret, redactor.text(carry(sample))));
      expect(left.map(({ name }) => name)).toEqual([]);
    });
  }

  test('leave streamed JSON that can be parsed, with the same members', () => {
    for (const sample of SAMPLES) {
      const clean = redactor.text(CARRIERS['a member of streamed JSON']?.(sample) ?? '');
      expect(Object.keys(JSON.parse(clean) as object), sample.name).toEqual(['command', 'description']);
    }
  });

  verifies('SAFE-6', 'are removed from streamed JSON that is cut anywhere', () => {
    for (const [index, sample] of SAMPLES.entries()) {
      const text = CARRIERS['a member of streamed JSON']?.(sample) ?? '';
      const at = (index * 37) % text.length;
      const pieces = [text.slice(0, at), text.slice(at, at + 3), text.slice(at + 3)];
      expect(isLeft(sample.secret, redactedPieces(pieces, redactor).join('')), sample.name).toBe(false);
    }
  });

  verifies('SAFE-6', 'are removed where a colour code stands within', () => {
    const issued = SAMPLES.slice(0, 38).map(({ secret }) => secret);
    const left = issued.filter((secret) => {
      const [head, tail] = [secret.slice(0, 14), secret.slice(14)];
      return [`${head}\u001B[31m${tail}`, `${head}\\u001b[0m${tail}`].some((text) =>
        isLeft(secret, redactor.text(text)),
      );
    });
    expect(left).toEqual([]);
  });
});

test.each(LOOKALIKES)('no secret is seen in: %s', (text) => {
  expect(redactor.text(text)).toBe(text);
  expect(redactor.line(JSON.stringify({ type: 'user', text })).redacted).toEqual([]);
});

test('a key begins in a stretch of the characters that are searched for prefixes', () => {
  const outside = ISSUER_RULES.filter(({ prefix }) => keyRuns(prefix, prefix.length).length === 0);
  expect(outside.map(({ prefix }) => prefix)).toEqual([]);
});
