import { createMemoryPair } from '@proto/core/transport';
import { describe, expect, test } from 'vitest';
import { ask, assistant, play, startTape, user } from './api.test-support.ts';

describe('a tape of the Messages API', () => {
  test('answers as the API did, event by event, without the API', async () => {
    const { tape, url, text, api } = await startTape([
      'One, two.',
      { content: [{ type: 'tool_use', name: 'Bash', input: { command: 'ls' } }] },
    ]);
    const first = await ask(url, [user('Count')]);
    const second = await ask(url, [user('Count'), assistant('One, two.'), user('List')]);
    await tape.close();
    expect(first.text).toContain('One, two.');
    expect(api.requests).toHaveLength(2);
    await api.close();
    const { player, url: played } = await play(text());
    expect(await ask(played, [user('Count')])).toEqual(first);
    expect(await ask(played, [user('Count'), assistant('One, two.'), user('List')])).toEqual(second);
    expect([player.misses, player.unused]).toEqual([[], 0]);
  });

  test('recognizes a request with other ids, times and hints, and in any order', async () => {
    const { tape, url, text } = await startTape(({ body }) => `answer to ${body.messages.length}`);
    const asked = (id: string, hint: string) => [
      { role: 'system', content: `today is ${hint}` },
      user(`go<system-reminder>${hint}</system-reminder>`),
      { role: 'assistant', content: [{ type: 'tool_use', id, name: 'Read', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: '2026-01-02T03:04:05Z' }] },
    ];
    const again = [
      ...asked('toolu_2', 'Tuesday').slice(0, 2),
      { content: [{ input: {}, name: 'Read', id: 'toolu_2', type: 'tool_use' }], role: 'assistant' },
      ...asked('toolu_2', 'Tuesday').slice(3),
    ];
    const title = await ask(url, [user('title')]);
    const main = await ask(url, asked('toolu_1', 'Monday'));
    await tape.close();
    const { url: played } = await play(text());
    expect(await ask(played, again)).toEqual(main);
    expect(await ask(played, [user('title')], { system: 'another' })).toEqual(title);
  });

  test('refuses a request that it does not have, and reports the difference', async () => {
    const { tape, url, text } = await startTape(['Yes.']);
    await ask(url, [user('May I?')]);
    await tape.close();
    const { player, url: played } = await play(text());
    const { status, text: refused } = await ask(played, [user('May we?')]);
    expect(status).toBe(400);
    expect(refused).toContain('Message 1 differs from the nearest request, exchange 1');
    await ask(played, [user('May I?')]);
    await ask(played, [user('May I?')]);
    await ask(played, [user('May I?'), assistant('Yes.')]);
    expect(player.misses.map(({ number, message }) => [number, message.replaceAll(/\{.*?\}\]\}/g, '{…}')])).toEqual([
      [
        1,
        'cassette: the tape has no answer to POST /v1/messages: 1 messages for claude-sonnet-5-5. Message 1 differs from the nearest request, exchange 1: recorded {…}, now {…}',
      ],
      [3, 'cassette: POST /v1/messages was recorded, but the agent now sends it more often'],
      [
        4,
        'cassette: the tape has no answer to POST /v1/messages: 2 messages for claude-sonnet-5-5. Message 2 differs from the nearest request, exchange 1: recorded nothing, now {…}',
      ],
    ]);
  });

  test('answers repeated queries', async () => {
    const { tape, url, text } = await startTape(['quota']);
    const probe = await ask(url, [user('quota')], { max_tokens: 1 });
    const models = await (await fetch(`${url}/v1/models`)).text();
    await tape.close();
    const { url: played, player } = await play(text());
    for (const _ of [1, 2]) {
      expect(await ask(played, [user('quota')], { max_tokens: 1 })).toEqual(probe);
      expect(await (await fetch(`${played}/v1/models`)).text()).toBe(models);
    }
    expect((await fetch(`${played}/v1/unknown`)).status).toBe(404);
    expect(player.misses).toEqual([]);
  });

  test('keeps errors of the API with their status and their `retry-after` header', async () => {
    const { tape, url, text } = await startTape([{ status: 529, headers: { 'retry-after': '7' } }]);
    const busy = await ask(url, [user('go')]);
    await tape.close();
    const { url: played } = await play(text());
    expect(await ask(played, [user('go')])).toEqual(busy);
    expect(busy.status).toBe(529);
    expect(text()).toContain('"retry-after":"7"');
  });

  test('stores each message of a conversation once', async () => {
    const { tape, url, text } = await startTape(['a', 'b', 'c']);
    const messages = [user('one')];
    for (const word of ['a', 'b', 'c']) {
      await ask(url, messages);
      messages.push(assistant(word), user(`and ${word}?`));
    }
    await tape.close();
    expect(text().match(/"text":"one"/g)).toHaveLength(1);
  });

  test('names the most similar request for each kind of difference', async () => {
    const { tape, url, text } = await startTape(['a', 'b']);
    await ask(url, [user('one')]);
    await ask(url, [user('one'), assistant('a'), user('two')]);
    await tape.close();
    const { url: played } = await play(text());
    const refusal = async (messages: readonly object[], more?: object) => {
      const { text: refused } = await ask(played, messages, more);
      return (JSON.parse(refused) as { error: { message: string } }).error.message;
    };
    expect(await refusal([user('one')], { model: 'claude-opus-5-5' })).toMatch(
      /1 messages for claude-opus-5-5\. exchange 1 differs only in its model, which is claude-sonnet-5-5$/,
    );
    expect(await refusal([user('one'), assistant('a')])).toMatch(
      /The nearest request, exchange 2, continues with \{.*"two"/,
    );
    const { tape: silent, text: nothing } = await startTape([]);
    await silent.close();
    const { url: empty } = await play(nothing());
    expect((await ask(empty, [user('one')])).text).toContain('The tape contains no requests to the Messages API');
  });

  test('breaks off where the API did, and stays open where the recorded agent disconnected', async () => {
    const gate = new Promise<void>(() => {});
    const { tape, url, text } = await startTape([
      { content: ['half', { cut: true }] },
      { content: ['begun', { wait: gate }] },
    ]);
    // Writes the header now, because entries are held back until the header is written.
    tape.record(createMemoryPair().host);
    /** Reads a response up to the given text, and disconnects. */
    const leave = async (address: string) => {
      const leaving = new AbortController();
      const answer = await fetch(`${address}/v1/messages`, {
        method: 'POST',
        headers: { 'anthropic-version': '2023-06-01' },
        body: JSON.stringify({ model: 'm', max_tokens: 9, stream: true, messages: [user('two')] }),
        signal: leaving.signal,
      });
      let received = '';
      for await (const chunk of answer.body ?? []) {
        received += Buffer.from(chunk).toString();
        if (received.includes('begun')) break;
      }
      leaving.abort();
      return received;
    };
    await expect(ask(url, [user('one')])).rejects.toThrow();
    const received = await leave(url);
    await expect.poll(text).toContain('"failed":"left"');
    await tape.close();
    const { url: played, player } = await play(text());
    await expect(ask(played, [user('one')])).rejects.toThrow();
    expect(await leave(played)).toBe(received);
    expect(player.unused).toBe(0);
  });
});
