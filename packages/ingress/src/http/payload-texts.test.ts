import fc from 'fast-check';
import { expect, test } from 'vitest';
import { payloadTexts } from './payload-texts.ts';

test('each payload comes as it was written: numbers, escapes, blanks, and members that are there twice', () => {
  const payloads = [
    '{"type":"a","n":[1.0,1e3,-0,12345678901234567890]}',
    '{ "type" : "\\u0062" , "n":1,"n":2 }',
    '{"type":"c","text":"\\"},{\\\\","payload":{"payload":1}}',
  ];
  const events = payloads.map((text) => `{"ephemeral":true,"payload":${text},"more":{"payload":0}}`);
  expect(payloadTexts(`{"session_id":"events","events":[${events.join(' , ')}],"worker_epoch":1}`)).toEqual(payloads);
});

test.each([
  ['{}', []],
  ['{"events":[{"payload":1}],"events":[{"payload":2}]}', ['2']],
  ['{"events":[{"payload":1,"payload":2}]}', ['2']],
  ['{"events":[7,{"x":1},[{"payload":1}],{"payload":2}]}', [undefined, undefined, undefined, '2']],
  ['{"other":[{"payload":1}],"x":{"events":[{"payload":1}]}}', []],
])('%s', (json, texts) => expect(payloadTexts(json)).toEqual(texts));

test('property: what is cut out parses to what the whole has there', () => {
  const entry = fc.oneof(fc.record({ payload: fc.jsonValue(), other: fc.jsonValue() }), fc.jsonValue());
  fc.assert(
    fc.property(fc.array(entry, { minLength: 1 }), fc.dictionary(fc.string(), fc.jsonValue()), (events, others) => {
      const json = JSON.stringify({ ...others, events }, null, 1);
      const texts = payloadTexts(json);
      const parsed = JSON.parse(json) as { events: unknown[] };
      expect(texts).toHaveLength(events.length);
      texts.forEach((text, index) => {
        const wanted: unknown = parsed.events[index];
        const has = typeof wanted === 'object' && wanted !== null && !Array.isArray(wanted) && 'payload' in wanted;
        expect(text === undefined ? text : JSON.parse(text)).toEqual(has ? wanted.payload : undefined);
      });
    }),
  );
});
