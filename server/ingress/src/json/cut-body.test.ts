import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inSteps } from '../event-loop.ts';
import { cutBody, CutBodyError } from './cut-body.ts';

const OPTIONS = { list: 'events', maxEntries: 100 };
const cut = async (text: string, options = {}) => inSteps(cutBody(text, { ...OPTIONS, ...options }));
const reason = (text: string) =>
  cut(text).then(
    () => undefined,
    (error: unknown) => (error as CutBodyError).reason,
  );

test('each payload is returned as it was written, including numbers, escapes, spaces and duplicate members', async () => {
  const payloads = [
    '{"type":"a","n":[1.0,1e3,-0,12345678901234567890]}',
    '{ "type" : "\\u0062" , "n":1,"n":2 }',
    '{"type":"c","text":"\\"},{\\\\","payload":{"payload":1}}',
  ];
  const events = payloads.map((text) => `{"ephemeral":true,"payload":${text},"more":{"payload":0}}`);
  const { members, entries } = await cut(`{"session_id":"events","events":[${events.join(' , ')}],"worker_epoch":1}`);
  expect(members).toEqual({ session_id: 'events', worker_epoch: 1 });
  expect(entries?.map(({ payload }) => payload)).toEqual(payloads);
  expect(entries?.[0]?.members).toEqual({ ephemeral: true, more: { payload: 0 } });
});

test('escaped member names are recognized', async () => {
  const { entries } = await cut('{"\\u0065vents":[{"p\\u0061yload":{"a":1}}]}');
  expect(entries).toEqual([{ payload: '{"a":1}', members: {}, fault: undefined }]);
});

test.each([
  ['{"events":[],"events":[]}', 'name_twice'],
  ['{"events":[{"payload":1}],"\\u0065vents":[{"payload":2}]}', 'name_twice'],
  ['{"\\u0065vents":[{"payload":1}],"events":2}', 'name_twice'],
  ['{"a":1,"\\u0061":1}', 'name_twice'],
  ['[]', 'no_object'],
  ['1', 'no_object'],
  ['', 'not_json'],
  ['x', 'not_json'],
  ['[1,]', 'not_json'],
  ['{"events":[],}', 'not_json'],
  ['{"events":[{"payload":{}}]', 'not_json'],
  ['{"events":[],"a":tru}', 'not_json'],
  ['{"events":[{"more":01}]}', 'not_json'],
])('the body %s is refused', async (text, expected) => {
  expect(await reason(text)).toBe(expected);
});

test.each([
  ['nested too deeply', `{"a":${'['.repeat(1001)}${']'.repeat(1001)}}`, 'too_deep'],
  ['with too many values', `{"a":[${'1,'.repeat(500_000)}1]}`, 'too_many_values'],
  ['with too many members', `{"a":{${'"b":1,'.repeat(50_000)}"b":1}}`, 'too_many_values'],
  ['that is a list of too many values', `[${'1,'.repeat(500_000)}1]`, 'too_many_values'],
  ['with too many names', `{${Array.from({ length: 1001 }, (_, n) => `"${n}":1`).join()}}`, 'too_many_values'],
  ['with too many entries', `{"events":[${'1,'.repeat(100)}1]}`, 'too_many_entries'],
])('a body %s is refused', async (_, text, expected) => {
  expect(await reason(text)).toBe(expected);
});

const DEEP = `{"payload":${'['.repeat(1001)}${']'.repeat(1001)}}`;
const MANY = `{"payload":[${'1,'.repeat(500_000)}1]}`;

test.each([
  ['with two payloads', '{"payload":{"a":1},"payload":{"b":2}}', 'name_twice'],
  ['with two payloads in two spellings', '{"payload":{"a":1},"\\u0070ayload":{"b":2}}', 'name_twice'],
  ['with another name twice', '{"ephemeral":true,"payload":{},"ephemer\\u0061l":false}', 'name_twice'],
  ['with too many names', `{${Array.from({ length: 1001 }, (_, n) => `"${n}":1`).join()}}`, 'too_many_values'],
  ['nested too deeply', DEEP, 'too_deep'],
  ['with too many values', MANY, 'too_many_values'],
])('an entry %s gets a fault, and the other entries are unchanged', async (_, entry, fault) => {
  const { entries } = await cut(`{"events":[{"payload":1},${entry},{"payload":2}]}`);
  expect(entries?.map((each) => [each.payload, each.fault])).toEqual([
    ['1', undefined],
    [undefined, fault],
    ['2', undefined],
  ]);
});

test.each([
  ['{}', undefined],
  ['{"events":{}}', undefined],
  ['{"events":[7,{"x":1},[{"payload":1}],{"payload":2}]}', [undefined, undefined, undefined, '2']],
  ['{"other":[{"payload":1}],"x":{"events":[{"payload":1}]}}', undefined],
])('the payloads of %s are found', async (text, payloads) => {
  expect((await cut(text)).entries?.map(({ payload }) => payload)).toEqual(payloads);
});

test('with isBare, the entries are the messages themselves', async () => {
  const { entries } = await cut('{"events":[{"type":"a", "payload":1},7]}', { isBare: true });
  expect(entries?.map(({ payload }) => payload)).toEqual(['{"type":"a", "payload":1}', '7']);
});

const name = fc.constantFrom('events', '\\u0065vents', 'payload', 'p\\u0061yload', 'x', 'type', 'session_id');
const json: fc.Arbitrary<string> = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom('1', '"events"', 'null', '"\\u0022},{"', 'tru'),
    fc.array(tie('value'), { maxLength: 3 }).map((items) => `[${items.join(' ,')}]`),
    fc
      .array(fc.tuple(name, tie('value')), { maxLength: 3 })
      .map((members) => `{${members.map(([key, value]) => `"${key}": ${value}`).join()}}`),
  ),
})).value;
const body = fc
  .array(
    fc.tuple(
      name,
      fc.oneof(
        json,
        fc.array(json, { maxLength: 3 }).map((items) => `[${items.join()}]`),
      ),
    ),
    { maxLength: 3 },
  )
  .map((members) => `{${members.map(([key, value]) => `"${key}":${value}`).join()}}`);

test('property: the payloads equal those of JSON.parse, or the body is refused', async () => {
  await fc.assert(
    fc.asyncProperty(body, async (text) => {
      let whole: { readonly events?: unknown } | undefined;
      try {
        whole = JSON.parse(text) as object;
      } catch {}
      const found = await cut(text).catch((error: unknown) => error as CutBodyError);
      if (found instanceof CutBodyError) {
        if (found.reason === 'not_json') expect(whole).toBeUndefined();
        return;
      }
      // An invalid payload is found by its later parser; the payload of a refused entry is never parsed.
      if (whole === undefined) {
        expect(found.entries?.some(({ payload, fault }) => fault !== undefined || isNoJson(payload))).toBe(true);
        return;
      }
      const { events } = whole;
      expect(found.entries === undefined).toBe(!Array.isArray(events));
      found.entries?.forEach(({ payload, fault }, index) => {
        const entry = (events as readonly unknown[])[index];
        if (fault !== undefined) return;
        expect(payload === undefined ? undefined : (JSON.parse(payload) as unknown)).toEqual(
          typeof entry === 'object' && entry !== null && !Array.isArray(entry)
            ? (entry as { readonly payload?: unknown }).payload
            : undefined,
        );
      });
    }),
    { numRuns: 5000 },
  );
});

function isNoJson(text = '1'): boolean {
  try {
    JSON.parse(text);
    return false;
  } catch {
    return true;
  }
}
