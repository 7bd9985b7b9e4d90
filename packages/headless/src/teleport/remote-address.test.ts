import { expect, test } from 'vitest';
import { remoteAddress } from './remote-address.ts';

const URL_OF = 'https://box.example/v1/code/sessions/cse_1';

test.each([
  ['cse_1', 'https://box.example', URL_OF],
  ['cse_1', 'https://box.example/', URL_OF],
  ['cse_1', 'https://box.example/v1', URL_OF],
  ['cse_1', 'https://box.example/v1/code/sessions/', URL_OF],
  ['cse_1', 'http://127.0.0.1:4983/under/', 'http://127.0.0.1:4983/under/v1/code/sessions/cse_1'],
  [URL_OF, 'https://other.example', URL_OF],
  [`${URL_OF}/`, undefined, URL_OF],
])('%s on %s is a session address', (asked, server, url) => {
  expect(remoteAddress(asked, { SJP_TELEPORT_URL: server })).toMatchObject({ id: 'cse_1', url });
});

test.each<[string | true, string | undefined, string]>([
  [true, undefined, '--teleport needs the ID of a remote session, or its address'],
  ['cse_1', undefined, 'set SJP_TELEPORT_URL'],
  ['cse_1', 'box.example', 'SJP_TELEPORT_URL is neither'],
  ['../secret', 'https://box.example', '--teleport is neither'],
  ['ws://box.example/v1/code/sessions/cse_1', undefined, 'http: or https: address'],
  ['https://box.example', undefined, 'must end in /v1/code/sessions/ID'],
  ['https://me:secret@box.example/v1/code/sessions/cse_1', undefined, 'do not put a secret in a URL'],
])('%s on %s is refused', (asked, server, text) => {
  const address = () => remoteAddress(asked, { SJP_TELEPORT_URL: server });
  expect(address).toThrow(text);
  expect(address).not.toThrow('me:secret');
});
