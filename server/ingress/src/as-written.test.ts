/** Messages are stored and forwarded as they were written. */
import { verifies } from '@proto/test-support/verifies';
import { expect, test } from 'vitest';
import { startIngress, TOKENS } from './ingress.test-support.ts';

// Text that a parser and serializer would change: unusual numbers, escapes, spaces, and a duplicate member.
const ODD = '{ "type":"note","n":[1.0,1e3,-0,12345678901234567890],"text":"\\u0041\\/","x":1,"x":2';

/** Returns the stream that a viewer reads when another client posts some messages. */
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

verifies('REM-14', 'a message is forwarded byte for byte as it was posted, also an ephemeral message', async () => {
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

test('a missing uuid is appended at the end, and the rest is unchanged', async () => {
  const raw = await posted(`${ODD}}`);
  expect(raw.slice(raw.indexOf(ODD) + ODD.length)).toMatch(/^,"uuid":"[0-9a-f-]{36}"}}/);
});

test('a message with line separators or a reserved member is serialized again', async () => {
  const raw = await posted('{"type":"note",\n"text":"a\u2028b","uuid":"one","ccr_event":{"source":"worker"}}');
  expect(raw).toContain('"payload":{"type":"note","text":"a\\u2028b","uuid":"one"}}');
});
