import { expect, test } from 'vitest';
import { eventStream } from './event-stream-session.ts';
import type { Fetch } from './http.ts';

/** A `fetch` that refuses each request for good, and records it. */
function refusing() {
  const requests: [url: string, authorization: string | undefined][] = [];
  const fetch: Fetch = async (url, { headers }) => {
    requests.push([url, new Headers(headers).get('authorization') ?? undefined]);
    return { status: 403, headers: new Headers(), body: null };
  };
  return { fetch, requests };
}

test('the stream of the session is requested with the token', async () => {
  const { fetch, requests } = refusing();
  const transport = eventStream('https://host/v1/code/sessions/cse_1', { token: () => 't0ken', fetch });
  await expect(transport.opened).rejects.toMatchObject({ code: 'rejected' });
  expect(requests[0]).toEqual(['https://host/v1/code/sessions/cse_1/events/stream', 'Bearer t0ken']);
});

test('without a token no request has one', async () => {
  const { fetch, requests } = refusing();
  await expect(eventStream('http://host/s', { fetch }).opened).rejects.toMatchObject({ code: 'rejected' });
  expect(requests[0]).toEqual(['http://host/s/events/stream', undefined]);
});

test.each(['wss://host/v1/code/sessions/cse_1', 'https://user:s3cret@host/s', 's3cret'])('%s is refused', (url) => {
  expect(() => eventStream(url)).toThrow(expect.objectContaining({ code: 'connect-failed' }) as Error);
  expect(() => eventStream(url)).not.toThrow(/s3cret/);
});
