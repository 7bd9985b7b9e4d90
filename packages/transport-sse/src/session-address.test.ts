import { expect, test, vi } from 'vitest';
import { createSseTransport } from './sse-transport.ts';
import { SessionAddress } from './session-address.ts';

test.each([
  ['https://host.example/v1/code/sessions/cse_1', 'https://host.example/v1/code/sessions/cse_1/events'],
  ['https://host.example:8443/sessions/cse_1//', 'https://host.example:8443/sessions/cse_1/events'],
  ['http://[::1]:80/cse_1?beta=a%20b', 'http://[::1]/cse_1/events?beta=a%20b'],
  ['https://host.example/cse_1#part', 'https://host.example/cse_1/events'],
])('a request to %s', (session, expected) => {
  const address = new SessionAddress(session);
  expect(address.below('/events')).toBe(expected);
  expect(address.sessionId).toBe('cse_1');
});

test.each([
  'ftp://host/s',
  'file:///s',
  'ws://host/s',
  'wss://host/s',
  'data:text/plain,s',
  'sse+https://host/s',
  'own:s',
])('an address of another scheme is refused: %s', (address) => {
  expect(() => new SessionAddress(address)).toThrow('the address must begin with https:// or http://');
});

test.each(['ftp://host/s', 'ws://host/s', 'file:///s'])(
  'a transport to %s ends at once, without a request',
  async (url) => {
    const fetch = vi.fn();
    const transport = createSseTransport({ url, fetch });
    await expect(transport.opened).rejects.toMatchObject({ code: 'connect-failed', retryable: false });
    expect(fetch).not.toHaveBeenCalled();
  },
);

test('members of the query are replaced by those of a request', () => {
  const address = new SessionAddress('https://host.example/cse_1?from=1&beta=x');
  expect(address.below('/events', { from: '7', 'a b': 'ü' })).toBe(
    'https://host.example/cse_1/events?from=7&beta=x&a+b=%C3%BC',
  );
});

test('the id of a session is decoded', () => {
  expect(new SessionAddress('https://host.example/s/a%2Fb').sessionId).toBe('a/b');
  expect(() => new SessionAddress('https://host.example/s/%E0%A4%A')).toThrow(URIError);
});
