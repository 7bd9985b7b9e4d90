import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import { describe, expect, test } from 'vitest';

import { parseLine } from '../framing/json-line.ts';
import type { Direction } from './find-kind.ts';
import { nameOf, shapes } from './inventory.test-support.ts';
import { objectOf } from './inventory-type.test-support.ts';
import { placesIn, valueOf, withValue, wrongValues } from './inventory-value.test-support.ts';
import { satisfies, shippedSchema } from './json-schema.test-support.ts';
import { parseMessage } from './parse-message.ts';
import { recordings } from './recordings.test-support.ts';

test('the JSON Schema files that are generated from the schemas are up to date', () => {
  const script = fileURLToPath(new URL('../../scripts/generate.mjs', import.meta.url));
  expect(() => execFileSync(process.execPath, [script, '--check'], { stdio: 'pipe' })).not.toThrow();
});

const schemas = { 'from-agent': shippedSchema('from-agent'), 'from-host': shippedSchema('from-host') };
const agree = (value: unknown, direction: Direction) => {
  const parsed = parseMessage(value, { direction, mode: 'strict' });
  expect(satisfies(value, schemas[direction]), JSON.stringify(value)).toBe(parsed.kind !== 'invalid');
};

test('every definition of the JSON Schema has a description', () => {
  for (const { $defs = {} } of Object.values(schemas)) {
    expect(Object.keys($defs).length).toBeGreaterThan(100);
    for (const [name, { description = '' }] of Object.entries($defs))
      expect(description, name).toMatch(/^[A-Z].*[.?]$/);
  }
});

describe('the shipped JSON Schema and the parser agree', () => {
  test('on every recorded message, parsed for either direction', () => {
    for (const { text } of recordings) {
      const { message } = parseLine(text);
      if (message === undefined) continue;
      agree(message, 'from-agent');
      // A request of the other side is unknown to the parser, but the parser still checks its envelope.
      agree(message, 'from-host');
    }
  });

  test.each(shapes.map((shape) => [`${shape.direction} ${nameOf(shape)}`, shape] as const))(
    'on %s with any member missing or wrong',
    (_, shape) => {
      const direction = shape.direction === 'host->agent' ? 'from-host' : 'from-agent';
      const declared = objectOf(shape.fields ?? []);
      const full = valueOf(declared, true);
      agree(full, direction);
      for (const { path, type } of placesIn(declared).slice(1)) {
        if (typeof path.at(-1) === 'string') agree(withValue(full, path, undefined), direction);
        for (const wrong of [...wrongValues(type), 'not known yet']) agree(withValue(full, path, wrong), direction);
      }
    },
  );

  test('on values of an unknown kind', () => {
    for (const value of [{ type: 'hologram' }, { type: 'system', subtype: 'x' }, { type: 'result' }, {}, 5, null, []]) {
      agree(value, 'from-agent');
      agree(value, 'from-host');
    }
    for (const request of [{ subtype: 'dance' }, { subtype: 5 }, { subtype: 'set_model', model: 5 }, 'x']) {
      agree({ type: 'control_request', request_id: '1', request }, 'from-host');
      agree({ type: 'control_request', request_id: '1', request }, 'from-agent');
    }
  });
});
