import { inspect } from 'node:util';
import type { Transport } from '@proto/core/transport';
import { afterEach, expect, test, vi } from 'vitest';
import { createSseTransport } from './sse-transport.ts';
import { environmentProxies, undiciFetch } from './node/undici-fetch.ts';
import type { Fetch } from './http.ts';
import { createSseWorkerTransport } from './worker/worker-transport.ts';

afterEach(() => void vi.unstubAllEnvs());

const SECRET = /s3cret/;
const shown = (value: unknown) => inspect(value, { depth: Infinity, showHidden: true });

/** Everything that a transport reveals about its end. */
async function revealedBy(transport: Transport): Promise<string> {
  const opened = await transport.opened.catch((error: unknown) => error);
  const items: unknown[] = [];
  try {
    for await (const some of transport.incoming) items.push(...some);
  } catch (error) {
    items.push(error);
  }
  return shown([opened, items, await transport.closed]);
}

const SESSION = '/v1/code/sessions/ID';
const SIDES = [createSseTransport, createSseWorkerTransport] as const;
const fetches: Readonly<Record<string, Fetch>> = {
  platform: (url, request) => fetch(url, request),
  undici: undiciFetch(),
};

test.each(Object.entries(fetches))(
  'an address with a user or a password is refused at once without a request: %s',
  async (_, fetch) => {
    const asked = vi.fn(fetch);
    for (const create of SIDES) {
      for (const user of ['user:s3cret', 's3cret', ':s3cret']) {
        const transport = create({ url: `http://${user}@127.0.0.1:9${SESSION}`, fetch: asked });
        await expect(transport.opened).rejects.toMatchObject({ code: 'connect-failed', retryable: false });
        expect(await revealedBy(transport)).not.toMatch(SECRET);
      }
    }
    expect(asked).not.toHaveBeenCalled();
  },
);

test.each(Object.entries(fetches))(
  'no error quotes an invalid address, a query, a header or a token: %s',
  async (_, fetch) => {
    const limits = { fetch, connectDeadlineMs: 0, baseMs: 1, capMs: 1 };
    const from = `http://127.0.0.1:9${SESSION}?ticket=s3cret`;
    for (const options of [
      { url: `http://user:s3cret@ho st${SESSION}?ticket=s3cret` },
      { url: `https://127.0.0.1:9${SESSION}?ticket=s3cret` },
      { url: from, headers: { 'X-Key': 's3cret\n' } },
      { url: from, credential: () => 's3cret\0word' },
      { url: `nothing://127.0.0.1${SESSION}?ticket=s3cret` },
    ]) {
      expect(await revealedBy(createSseTransport({ ...limits, ...options }))).not.toMatch(SECRET);
    }
  },
);

test('an error of another `fetch` or of its body is not quoted', async () => {
  const url = `https://host${SESSION}?ticket=s3cret`;
  const broken = (request: unknown) => Object.assign(new Error(`${url} failed`), { request, input: url });
  const credential = () => 's3cret-token';
  const throwing: Fetch = async (_, request) => Promise.reject(broken(request));
  const breaking: Fetch = async (_, request) => ({
    status: 200,
    headers: { get: () => 'text/event-stream' },
    body: { getReader: () => ({ read: () => Promise.reject(broken(request)), cancel: async () => {} }) },
  });
  for (const fetch of [throwing, breaking]) {
    const transport = createSseTransport({
      url,
      fetch,
      credential,
      connectDeadlineMs: 0,
      reconnectDeadlineMs: 0,
      baseMs: 1,
    });
    expect(await revealedBy(transport)).not.toMatch(SECRET);
  }
});

test('an invalid proxy URL is not quoted', async () => {
  const env = { HTTP_PROXY: 'http://user:s3cret@ho st:1' };
  expect(() => environmentProxies(env)).toThrow('the proxy URL in HTTP_PROXY or HTTPS_PROXY is invalid');
  vi.stubEnv('http_proxy', env.HTTP_PROXY);
  const transport = createSseTransport({
    url: `http://far.example${SESSION}`,
    fetch: undiciFetch(),
    connectDeadlineMs: 0,
  });
  expect(await revealedBy(transport)).not.toMatch(SECRET);
});
