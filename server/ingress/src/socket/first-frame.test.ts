/** Tests of the token in the first frame: any invalid value is refused as a wrong token, never as an error of the server. */
import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createAccounts } from '../auth/accounts.ts';
import { TOKENS } from '../ingress.test-support.ts';
import { later, start } from './socket-suite.test-support.ts';
import { follow } from './socket.test-support.ts';

const auth = (token: unknown) => ({ type: 'auth', credential: { type: 'oauth', token } });

async function startRefusing() {
  const onError = vi.fn();
  const { newSession } = await start({ onError });
  const { address } = await newSession();
  const codeOf = async (frame: string) => {
    const client = follow(address);
    onTestFinished(() => client.socket.terminate());
    await client.opened;
    client.raw(frame);
    const code = await client.closed;
    expect(client.frames).toEqual([]);
    return code;
  };
  return { onError, codeOf };
}

test.each([
  ['a line end', `${TOKENS.driver}\r\n`],
  ['another header', `x\r\nauthorization: Bearer ${TOKENS.driver}`],
  ['a NUL', 'token\u0000of-a-driver'],
  ['a character above U+00FF', 'token-of-a-driver-\u0416'],
  ['a lone high surrogate', 'token-of-a-driver-\ud83d'],
  ['a lone low surrogate', '\ude00-token-of-a-driver'],
  ['a surrogate pair', 'token-of-a-driver-\u{1f600}'],
  ['spaces around it', ` ${TOKENS.driver} `],
  ['the scheme of a header', `Bearer ${TOKENS.driver}`],
  ['a byte order mark', `\ufeff${TOKENS.driver}`],
  ['nothing', ''],
  ['the name of an Object.prototype member', '__proto__'],
  ['60 000 characters', 'x'.repeat(60_000)],
])('a token with %s is refused permanently', async (_, token) => {
  const { onError, codeOf } = await startRefusing();
  expect(await codeOf(JSON.stringify(auth(token)))).toBe(4003);
  expect(onError).not.toHaveBeenCalled();
});

const NO_TEXT: readonly { readonly token: unknown }[] = [
  { token: null },
  { token: 1 },
  { token: true },
  { token: {} },
  { token: [TOKENS.driver] },
];

test.each(NO_TEXT)('a token that is %j is refused permanently', async (token) => {
  const { onError, codeOf } = await startRefusing();
  expect(await codeOf(JSON.stringify(auth(token)))).toBe(4003);
  expect(onError).not.toHaveBeenCalled();
});

test('a token that no header can carry can be sent in the first frame', async () => {
  const token = 'жетон-водителя-\u{1f600}';
  const accounts = await createAccounts([
    { name: 'driver', role: 'driver', token: TOKENS.driver },
    { name: 'other', role: 'viewer', token },
  ]);
  const { newSession } = await start({ accounts });
  const session = await newSession();
  await session.send({ type: 'user', uuid: 'a' });
  const client = later(follow(session.address));
  await client.opened;
  client.say(auth(token));
  expect(await client.take(1)).toMatchObject([{ uuid: 'a' }]);
});

test('property: no first frame causes an internal error', async () => {
  const { onError, codeOf } = await startRefusing();
  const text = fc.string({
    unit: fc.oneof(fc.constantFrom('\r', '\n', '\0', '\ud800', '\udfff', '\u0100', ' '), fc.string()),
  });
  const frame = fc.oneof(
    text.map((token) => JSON.stringify(auth(token))),
    fc.json(),
    fc.json().map((value) => JSON.stringify(auth(JSON.parse(value)))),
    // A blank line has no effect, and the server would wait ten seconds for the next line.
    text.filter((line) => line.trim() !== ''),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(frame, { minLength: 20, maxLength: 20 }), async (lines) => {
      // Without a line end the server would wait for the rest of the line.
      const codes = await Promise.all(lines.map((line) => codeOf(`${line}\n`)));
      expect(new Set(codes)).toEqual(new Set([4003]));
    }),
    { numRuns: 15 },
  );
  expect(onError).not.toHaveBeenCalled();
});
