/** Tests with random bodies that rights are checked on the exact text that is stored. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { answer, startAsked, TOKENS, user } from './ingress.test-support.ts';

/** Text of JSON objects whose member names may be escaped, duplicated or written in another case. */
const spelled = (names: readonly string[], values: fc.Arbitrary<string>) =>
  fc
    .array(fc.tuple(fc.constantFrom(...names), values), { maxLength: 4 })
    .map((members) => `{${members.map(([name, value]) => `"${name}":${value}`).join()}}`);

const PROMPT = JSON.stringify(user('smuggled'));
const ANSWER = JSON.stringify(answer('p', 'allow'));
const payload = fc.oneof(
  fc.constantFrom(PROMPT, ANSWER, '[]', 'null'),
  spelled(
    ['type', '\\u0074ype', 'Type', 'response', 'respon\\u0073e', 're\u017fponse', 'uuid'],
    fc.constantFrom('"user"', '"control_response"', JSON.stringify(JSON.parse(ANSWER).response), '"smuggled"'),
  ),
);
const entry = spelled(['payload', '\\u0070ayload', 'Payload', 'ephemeral'], payload);
const body = spelled(
  ['events', '\\u0065vents', 'Events', 'session_id', 'x'],
  fc.oneof(
    fc.array(entry, { maxLength: 3 }).map((entries) => `[${entries.join()}]`),
    entry,
  ),
);

test('property: of any POST of an approver only answers are stored, and every JSON parser reads them the same way', async () => {
  await fc.assert(
    fc.asyncProperty(body, fc.boolean(), async (text, isWorker) => {
      const { session, call, log, token, epoch } = await startAsked();
      const path = isWorker ? `${session.base}/worker/events` : `${session.base}/events`;
      const sent = isWorker ? `{"worker_epoch":${epoch},${text.slice(1)}` : text;
      const { status } = await call(path, { token: isWorker ? token : TOKENS.approver, body: sent.replace(',}', '}') });
      const { events } = await log.read(session.id, 1);
      if (events.length === 0) return;
      expect(status).toBe(200);
      const parsed = JSON.parse(sent) as { readonly events: readonly { readonly payload?: object }[] };
      for (const { payload: stored, type, source } of events) {
        const value = JSON.parse(stored) as { readonly type: string; readonly uuid: string };
        expect(value.type).toBe(type);
        expect(
          parsed.events.some(
            (each) => JSON.stringify({ ...each.payload, uuid: value.uuid }) === JSON.stringify({ ...value }),
          ),
        ).toBe(true);
        if (source === 'worker') continue;
        expect(type).toBe('control_response');
        expect(stored.match(/"(?:t|\\u0074)ype"|"respon(?:s|\\u0073)e":\{"subtype"/gi)).toHaveLength(2);
      }
    }),
    { numRuns: 1000 },
  );
}, 120_000);
