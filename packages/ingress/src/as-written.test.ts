/** Messages are kept and handed on as they were written. */
import { verifies } from '@proto/requirements';
import { expect, test } from 'vitest';
import { startIngress, TOKENS } from './ingress.test-support.ts';

// What parsing and writing again would change: odd numbers, escapes, blanks, and a member that is there twice.
const ODD = '{ "type":"note","n":[1.0,1e3,-0,12345678901234567890],"text":"\\u0041\\/","x":1,"x":2';

/** What a viewer reads of some messages that another one posts as they are. */
async function posted(...messages: readonly string[]) {
  const { newSession, request } = await startIngress();
  const session = await newSession();
  const viewer = await session.view();
  const body = `{"events":[${messages.map((text) => `{"payload":${text}}`).join()}]}`;
  await request(`${session.base}/events`, { method: 'POST', token: TOKENS.driver, body });
  await viewer.take(messages.length);
  await viewer.close();
  return viewer.raw;
}

verifies('I-A6', 'a message comes byte for byte as it was posted, also one that is not kept', async () => {
  const message = `${ODD},"uuid":"one"}`;
  expect(await posted(message)).toContain(`"payload":${message}}`);
  const { newSession, request } = await startIngress();
  const session = await newSession();
  const viewer = await session.view();
  const { token, epoch } = await session.claimLease();
  const body = `{"worker_epoch":${epoch},"events":[{"ephemeral":true,"payload":${message}}]}`;
  await request(`${session.base}/worker/events`, { method: 'POST', token, body });
  await viewer.until(() => viewer.of('ephemeral_event').length > 0);
  expect(viewer.raw).toContain(`"payload":${message}}`);
  await viewer.close();
});

test('a uuid is added at the end, and nothing else', async () => {
  const raw = await posted(`${ODD}}`);
  expect(raw.slice(raw.indexOf(ODD) + ODD.length)).toMatch(/^,"uuid":"[0-9a-f-]{36}"}}/);
});

test('what is not fit for a line, or is not its own to say, is written anew', async () => {
  const raw = await posted('{"type":"note",\n"text":"a\u2028b","uuid":"one","ccr_event":{"source":"worker"}}');
  expect(raw).toContain('"payload":{"type":"note","text":"a\\u2028b","uuid":"one"}}');
});
