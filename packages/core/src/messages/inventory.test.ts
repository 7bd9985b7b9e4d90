import { verifies } from '@proto/requirements';
import { describe, expect, test } from 'vitest';

import { objectOf } from './inventory-type.test-support.ts';
import { knownStrings, placesIn, valueOf, withValue, wrongValues } from './inventory-value.test-support.ts';
import { messagesFromAgent, messagesFromHost } from '../schemas/messages.ts';
import { nameOf, seenOn, type Shape, shapes } from './inventory.test-support.ts';
import { parseMessage } from './parse-message.ts';

// What tells shapes apart: another value is another shape, known or not.
const DISCRIMINATORS = new Set(['type', 'subtype', 'kind', 'isReplay']);
// Seen once in a recording, and in no list.
const NOT_IN_THE_INVENTORY = ['system/model_fallback'];

const directionOf = ({ direction }: Shape) => (direction === 'host->agent' ? 'from-host' : 'from-agent');
const schemasFor = (shape: Shape) => {
  const tables: readonly Readonly<Record<string, unknown>>[] = [messagesFromAgent, messagesFromHost];
  const sides = { 'agent->host': [0], 'host->agent': [1], both: [0, 1] }[shape.direction];
  return sides.map((side) => tables[side]?.[nameOf(shape)]);
};
const parse = (shape: Shape, value: unknown, mode: 'lenient' | 'strict' = 'strict') =>
  parseMessage(value, { direction: directionOf(shape), mode });
const last = (path: readonly (string | number)[]) => String(path.at(-1));

/** The members of a schema, and whether each may be absent. */
function membersOf(schema: unknown): Map<string, boolean> {
  const { shape } = (schema as { _zod: { def: { shape: Record<string, { _zod: { optin?: string } }> } } })._zod.def;
  return new Map(Object.entries(shape).map(([name, member]) => [name, member._zod.optin === 'optional']));
}

describe.each(shapes.map((shape) => ({ name: `${shape.direction} ${nameOf(shape)}`, shape })))('$name', ({ shape }) => {
  const declared = objectOf(shape.fields ?? []);
  const places = placesIn(declared).slice(1);
  const full = valueOf(declared, true);

  test('has the members of the inventory, required and optional alike, and those that were seen', () => {
    for (const schema of schemasFor(shape)) {
      const members = membersOf(schema);
      const seen = [...seenOn(nameOf(shape)), ...(nameOf(shape) === 'user/replay' ? seenOn('user') : [])];
      const listed = new Map((shape.fields ?? []).map(({ name, optional }) => [name, optional]));
      for (const name of seen) listed.set(name, true);
      // A published host leaves it out where it is null.
      if (nameOf(shape) === 'user') listed.set('parent_tool_use_id', true);
      const more = [...members].filter(([name]) => !listed.has(name));
      expect(new Map([...members].filter(([name]) => listed.has(name)))).toEqual(listed);
      // One schema serves all results that are errors, also those that carried fewer members when they were seen.
      expect(more.filter(([name]) => !seenOn('result/error_max_turns').includes(name))).toEqual([]);
    }
  });

  test('is known, whole and with nothing but what is required', () => {
    for (const value of [full, valueOf(declared, false)]) {
      expect(parse(shape, value)).toEqual({ kind: 'known', name: nameOf(shape), message: value, dropped: [] });
    }
  });

  verifies(['R-4.3', 'R-10.3'], 'no required member may be absent', () => {
    for (const { path } of places.filter(({ path, optional }) => path.length === 1 && !optional)) {
      const parsed = parse(shape, withValue(full, path, undefined), 'lenient');
      if (nameOf(shape) === 'user' && last(path) === 'parent_tool_use_id')
        expect(parsed).toMatchObject({ kind: 'known' });
      else if (last(path) === 'isReplay') expect(parsed).toMatchObject({ kind: 'known', name: 'user' });
      else expect(parsed, last(path)).toMatchObject({ kind: 'invalid', issues: [{ path }] });
    }
  });

  verifies(['R-4.3', 'R-10.3'], 'a value of another kind of JSON is an issue at its path', () => {
    let tried = 0;
    for (const { path, type } of places) {
      for (const wrong of wrongValues(type)) {
        // `isReplay: false` says that the message is no echo.
        if (last(path) === 'isReplay' && wrong === false) continue;
        const parsed = parse(shape, withValue(full, path, wrong));
        expect(parsed, `${path.join('.')}: ${JSON.stringify(wrong)}`).toMatchObject({ kind: 'invalid' });
        if (parsed.kind === 'invalid') expect(parsed.issues.map((issue) => issue.path)).toContainEqual(path);
        tried++;
      }
    }
    expect(tried).toBeGreaterThanOrEqual(3);
  });

  verifies('R-4.3', 'an invalid optional member is left out, told, and nothing else changes', () => {
    for (const { path, type, optional } of places.filter(({ path }) => path.length === 1)) {
      const [wrong] = wrongValues(type);
      if (!optional || wrong === undefined) continue;
      const value = withValue(full, path, wrong);
      const parsed = parse(shape, value, 'lenient');
      expect(parsed).toMatchObject({ kind: 'known', dropped: [{ path }] });
      if (parsed.kind !== 'known') continue;
      expect(JSON.stringify(parsed.message)).toBe(JSON.stringify(withValue(full, path, undefined)));
    }
  });

  verifies('R-4.1', 'every enumeration has its known values and lets others pass', () => {
    for (const { path, type } of places.filter(({ path }) => !DISCRIMINATORS.has(last(path)))) {
      const known = knownStrings(type);
      // The one role that a message of its kind can have.
      if (known.length === 0 || last(path) === 'role') continue;
      for (const value of [...known, 'not known yet']) {
        const message = withValue(full, path, value);
        const parsed = parse(shape, message);
        expect(parsed, path.join('.')).toMatchObject({ kind: 'known', dropped: [] });
        if (parsed.kind === 'known') expect(parsed.message).toBe(message);
      }
    }
  });
});

test('there is no schema for a message that the inventory does not have', () => {
  const names = new Set([...Object.keys(messagesFromAgent), ...Object.keys(messagesFromHost)]);
  for (const shape of shapes) names.delete(nameOf(shape));
  const controlFrames = ['control_cancel_request', 'control_request', 'control_response'];
  expect([...names].toSorted()).toEqual([...controlFrames, ...NOT_IN_THE_INVENTORY]);
});
