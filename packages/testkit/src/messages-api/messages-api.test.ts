import Anthropic from '@anthropic-ai/sdk';
import { describe, expect, onTestFinished, test } from 'vitest';
import { serveOnLoopback } from '../loopback-server.ts';
import { createMessagesApi, type MessagesApiOptions, type MessagesScript } from './messages-api.ts';

const ask = { model: 'claude-opus-5-5', max_tokens: 100, messages: [{ role: 'user' as const, content: 'Hello' }] };

/** Connects the published client to a scripted API over a real connection. */
async function scripted(script: MessagesScript, { maxRetries = 0, ...options }: MessagesApiOptions & Retries = {}) {
  const api = createMessagesApi(script, options);
  const server = await serveOnLoopback((request) => api.fetch(request));
  onTestFinished(() => server.close());
  return { api, server, client: new Anthropic({ apiKey: 'sk-secret', baseURL: server.url, maxRetries }) };
}

interface Retries {
  readonly maxRetries?: number;
}

const TOOL_CALL = { type: 'tool_use', name: 'Read', input: { path: 'a "quoted" name' } };

describe('the published client', () => {
  test('gets the same message, streamed or not', async () => {
    const reply = { content: [{ type: 'thinking', thinking: 'hm' }, 'One ', 'two.', { ...TOOL_CALL, id: 'T' }] };
    const { client } = await scripted([reply, reply]);
    const streamed = await client.messages.stream(ask).finalMessage();
    const whole = await client.messages.create(ask);
    expect(whole.content).toEqual([
      { type: 'thinking', thinking: 'hm', signature: expect.any(String) },
      { type: 'text', text: 'One two.' },
      { ...TOOL_CALL, id: 'T' },
    ]);
    const same = ({ content, usage, stop_reason, model }: typeof whole) => ({ content, usage, stop_reason, model });
    expect(same({ ...streamed, content: streamed.content })).toEqual(same(whole));
    expect(whole).toMatchObject({ model: 'claude-opus-5-5', stop_reason: 'tool_use' });
  });

  test('sees the events in the order of the API, a delta for each piece of text', async () => {
    const { client } = await scripted([{ content: ['a', 'b', TOOL_CALL, 'c'] }]);
    const events: string[] = [];
    for await (const event of await client.messages.create({ ...ask, stream: true })) {
      events.push('index' in event ? `${event.type} ${event.index}` : event.type);
    }
    expect(events).toEqual([
      'message_start',
      'content_block_start 0',
      'content_block_delta 0',
      'content_block_delta 0',
      'content_block_stop 0',
      'content_block_start 1',
      'content_block_delta 1',
      'content_block_delta 1',
      'content_block_stop 1',
      'content_block_start 2',
      'content_block_delta 2',
      'content_block_stop 2',
      'message_delta',
      'message_stop',
    ]);
  });

  test.each([
    [400, Anthropic.BadRequestError],
    [401, Anthropic.AuthenticationError],
    [404, Anthropic.NotFoundError],
    [429, Anthropic.RateLimitError],
    [529, Anthropic.InternalServerError],
  ])('meets a %d as its error', async (status, type) => {
    const { client } = await scripted([{ status, error: { message: 'so it is' } }]);
    const error = await client.messages.create(ask).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(type);
    expect(error).toMatchObject({ status, requestID: 'req_scripted_1', message: expect.stringContaining('so it is') });
  });

  test('tries again after a 529, without a delay if a header says so', async () => {
    const overloaded = { status: 529, headers: { 'retry-after-ms': '1' } };
    const { client, api } = await scripted([overloaded, overloaded, 'recovered'], { maxRetries: 2 });
    expect((await client.messages.create(ask)).content).toEqual([{ type: 'text', text: 'recovered' }]);
    expect(api.requests.map(({ headers }) => headers['x-stainless-retry-count'])).toEqual(['0', '1', '2']);
  });

  test('meets an error in the middle of a stream; who does not stream gets its status', async () => {
    const reply = { content: ['Hel', { error: { type: 'overloaded_error', message: 'too much' } }, 'lo'] };
    const { client } = await scripted([reply, reply]);
    const texts: string[] = [];
    const stream = client.messages.stream(ask).on('text', (text) => texts.push(text));
    await expect(stream.finalMessage()).rejects.toThrow('too much');
    expect(texts).toEqual(['Hel']);
    await expect(client.messages.create(ask)).rejects.toMatchObject({ status: 529 });
  });

  test('meets a cut connection, streamed or not', async () => {
    const reply = { content: ['Hel', { cut: true as const }] };
    const { client } = await scripted([reply, reply]);
    await expect(client.messages.stream(ask).finalMessage()).rejects.toThrow();
    await expect(client.messages.create(ask)).rejects.toBeInstanceOf(Anthropic.APIConnectionError);
  });

  test('counts tokens and lists models', async () => {
    const { client, api } = await scripted([]);
    expect((await client.messages.countTokens(ask)).input_tokens).toBeGreaterThan(0);
    expect((await client.models.list()).data.length).toBeGreaterThan(0);
    expect(await client.models.retrieve('any')).toMatchObject({ id: 'any' });
    expect(api.requests).toEqual([]);
  });
});

describe('a script', () => {
  test('holds a stream back by a condition', async () => {
    let open = () => {};
    const gate = new Promise<void>((resolve) => (open = resolve));
    const { client } = await scripted([{ content: ['before ', { wait: gate }, 'after'] }]);
    const stream = client.messages.stream(ask);
    expect(await new Promise((resolve) => stream.once('text', resolve))).toBe('before ');
    open();
    expect(await stream.finalText()).toBe('before after');
  });

  test('may be a function of the request', async () => {
    const { client } = await scripted(({ body, number }) => `${number}: ${body.messages.length}`);
    expect(await client.messages.stream(ask).finalText()).toBe('1: 1');
    expect(await client.messages.stream(ask).finalText()).toBe('2: 1');
  });

  test.each<[string, MessagesScript]>([
    ['no reply to request 1', []],
    ['the script failed: Error: oops', () => Promise.reject(new Error('oops'))],
  ])('gets an error that names the problem: %s', async (text, script) => {
    const { client } = await scripted(script, { maxRetries: 2 });
    await expect(client.messages.create(ask)).rejects.toThrow(text);
  });
});

describe('a request', () => {
  test('is recorded unchanged, without credentials', async () => {
    const { client, api } = await scripted(['hi']);
    const requested = api.requested(1);
    await client.messages.create({ ...ask, system: 'Be brief.' });
    const request = await requested;
    expect(api.requests).toEqual([request]);
    expect(request).toMatchObject({ number: 1, body: { ...ask, system: 'Be brief.' } });
    expect(request.headers).toHaveProperty('anthropic-version');
    expect(JSON.stringify(api.requests)).not.toContain('sk-secret');
  });

  test.each([{ stream: true }, { stream: false }])(
    'aborts its signal when the client disconnects: %o',
    async ({ stream }) => {
      const { client, api } = await scripted([{ content: ['a', { wait: new Promise(() => {}) }] }]);
      const controller = new AbortController();
      const options = { signal: controller.signal };
      const answer = stream
        ? client.messages.stream(ask, options).finalMessage()
        : client.messages.create(ask, options);
      const { signal } = await api.requested(1);
      const gone = new Promise((resolve) => signal.addEventListener('abort', resolve));
      controller.abort();
      await expect(answer).rejects.toBeInstanceOf(Anthropic.APIUserAbortError);
      await gone;
    },
  );

  const assistant = (...ids: readonly string[]) => ({
    role: 'assistant',
    content: ids.map((id) => ({ type: 'tool_use', id, name: 'Read', input: {} })),
  });
  const results = (...ids: readonly string[]) => ({
    role: 'user',
    content: ids.map((tool_use_id) => ({ type: 'tool_result', tool_use_id, content: 'x' })),
  });
  const system = { role: 'system', content: 'by the way' };
  const [hello] = ask.messages;

  test.each<[string, object]>([
    ['model', { model: undefined }],
    ['max_tokens', { max_tokens: 0 }],
    ['at least one message', { messages: [] }],
    ['messages.0.role', { messages: [{ role: 'tool', content: 'x' }] }],
    ['messages.0.content', { messages: [{ role: 'user' }] }],
    ['messages.0.content.0.type', { messages: [{ role: 'user', content: ['x'] }] }],
    ['may not be empty', { messages: [{ role: 'user', content: [{ type: 'text', text: '' }] }] }],
    ['no tool_result for the tool_use B', { messages: [hello, assistant('A', 'B'), results('A')] }],
    ['no tool_result for the tool_use A', { messages: [hello, assistant('A')] }],
    ['the tool_result B has no tool_use', { messages: [hello, assistant('A'), results('A', 'B')] }],
    ['the tool_use id A occurs twice', { messages: [hello, assistant('A'), results('A'), assistant('A')] }],
    ['the name Read occurs twice', { tools: [{ name: 'Read' }, { name: 'Read' }] }],
  ])('that the API would refuse is refused: %s', async (text, members) => {
    const { client } = await scripted(() => 'taken');
    await expect(client.messages.create({ ...ask, ...members })).rejects.toThrow(text);
  });

  test('that the API would take is taken, with tools called and system messages between', async () => {
    const { client } = await scripted(['taken']);
    const calls = [assistant('A'), assistant('B'), system, results('B'), results('A')];
    const messages = [hello, system, ...calls, assistant('C'), results('C')];
    const { content } = await client.messages.create({ ...ask, messages: messages as (typeof hello & object)[] });
    expect(content).toEqual([{ type: 'text', text: 'taken' }]);
  });

  test('is bounded, and so is their number', async () => {
    const { client } = await scripted(() => 'taken', { maxRequestBytes: 1000, maxRequests: 1 });
    const large = { ...ask, messages: [{ role: 'user' as const, content: 'x'.repeat(5_000_000) }] };
    await expect(client.messages.create(large)).rejects.toMatchObject({ status: 413 });
    await client.messages.create(ask);
    await expect(client.messages.create(ask)).rejects.toThrow('more than 1 requests');
  });

  test('of another kind is refused, and so is a body that is not an object', async () => {
    const { server } = await scripted([]);
    expect((await fetch(`${server.url}/`, { method: 'HEAD' })).status).toBe(200);
    expect((await fetch(`${server.url}/v1/complete`, { method: 'POST', body: '{}' })).status).toBe(404);
    expect((await fetch(`${server.url}/v1/messages`, { method: 'POST', body: 'null' })).status).toBe(400);
    const response = await fetch(`${server.url}/v1/messages`, { method: 'POST', body: '{}' });
    expect(await response.json()).toMatchObject({ error: { message: 'the header anthropic-version is missing' } });
  });
});

test('a scripted API can be the fetch of a client in the same process', async () => {
  const api = createMessagesApi(['here']);
  const client = new Anthropic({ apiKey: 'x', fetch: (url, init) => api.fetch(new Request(url, init)) });
  expect(await client.messages.stream(ask).finalText()).toBe('here');
});
