import { verifies } from '@proto/test-support/verifies';
import { describe, expect, test } from 'vitest';

import { objectOf } from './inventory-type.test-support.ts';
import { knownStrings, placesIn, valueOf, withValue, wrongValues } from './inventory-value.test-support.ts';
import { messagesFromAgent, messagesFromHost } from '../schemas/messages.ts';
import { nameOf, seenOn, type Shape, shapes } from './inventory.test-support.ts';
import { parseMessage } from './parse-message.ts';

// The discriminators: with a different value, a message has a different shape, known or unknown.
const DISCRIMINATORS = new Set(['type', 'subtype', 'kind', 'isReplay']);
// This message was seen once in a recording, and no list contains it.
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

/** The members of a schema, and whether each is optional. */
function membersOf(schema: unknown): Map<string, boolean> {
  const { shape } = (schema as { _zod: { def: { shape: Record<string, { _zod: { optin?: string } }> } } })._zod.def;
  return new Map(Object.entries(shape).map(([name, member]) => [name, member._zod.optin === 'optional']));
}

describe.each(shapes.map((shape) => ({ name: `${shape.direction} ${nameOf(shape)}`, shape })))('$name', ({ shape }) => {
  const declared = objectOf(shape.fields ?? []);
  const places = placesIn(declared).slice(1);
  const full = valueOf(declared, true);

  test('has the required and optional members of the inventory, and the members that were seen', () => {
    for (const schema of schemasFor(shape)) {
      const members = membersOf(schema);
      const seen = [...seenOn(nameOf(shape)), ...(nameOf(shape) === 'user/replay' ? seenOn('user') : [])];
      const listed = new Map((shape.fields ?? []).map(({ name, optional }) => [name, optional]));
      for (const name of seen) if (!listed.has(name)) listed.set(name, true);
      // A published host omits this member when it is null.
      if (nameOf(shape) === 'user') listed.set('parent_tool_use_id', true);
      const more = [...members].filter(([name]) => !listed.has(name));
      expect(new Map([...members].filter(([name]) => listed.has(name)))).toEqual(listed);
      // One schema describes all error results, including kinds that were seen with fewer members.
      expect(more.filter(([name]) => !seenOn('result/error_max_turns').includes(name))).toEqual([]);
    }
  });

  test('parses as known, with all members and with only the required members', () => {
    for (const value of [full, valueOf(declared, false)]) {
      expect(parse(shape, value)).toEqual({ kind: 'known', name: nameOf(shape), message: value, dropped: [] });
    }
  });

  verifies(['PARSE-3', 'PARSE-5'], 'is invalid without a required member', () => {
    for (const { path } of places.filter(({ path, optional }) => path.length === 1 && !optional)) {
      const parsed = parse(shape, withValue(full, path, undefined), 'lenient');
      if (nameOf(shape) === 'user' && last(path) === 'parent_tool_use_id')
        expect(parsed).toMatchObject({ kind: 'known' });
      else if (last(path) === 'isReplay') expect(parsed).toMatchObject({ kind: 'known', name: 'user' });
      else expect(parsed, last(path)).toMatchObject({ kind: 'invalid', issues: [{ path }] });
    }
  });

  verifies(['PARSE-3', 'PARSE-5'], 'reports a value of a wrong JSON type at its path', () => {
    let tried = 0;
    for (const { path, type } of places) {
      for (const wrong of wrongValues(type)) {
        // `isReplay: false` means that the message is not an echo.
        if (last(path) === 'isReplay' && wrong === false) continue;
        const parsed = parse(shape, withValue(full, path, wrong));
        expect(parsed, `${path.join('.')}: ${JSON.stringify(wrong)}`).toMatchObject({ kind: 'invalid' });
        if (parsed.kind === 'invalid') expect(parsed.issues.map((issue) => issue.path)).toContainEqual(path);
        tried++;
      }
    }
    expect(tried).toBeGreaterThanOrEqual(3);
  });

  verifies('PARSE-3', 'loses an invalid optional member, which is reported, and nothing else', () => {
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

  verifies('PARSE-1', 'accepts the known values of each enumeration, and others', () => {
    for (const { path, type } of places.filter(({ path }) => !DISCRIMINATORS.has(last(path)))) {
      const known = knownStrings(type);
      // A message of one kind has only one role.
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

test('every schema describes a message of the inventory', () => {
  const names = new Set([...Object.keys(messagesFromAgent), ...Object.keys(messagesFromHost)]);
  for (const shape of shapes) names.delete(nameOf(shape));
  const controlFrames = ['control_cancel_request', 'control_request', 'control_response'];
  expect([...names].toSorted()).toEqual([...controlFrames, ...NOT_IN_THE_INVENTORY]);
});
