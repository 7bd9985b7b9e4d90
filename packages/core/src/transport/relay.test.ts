import { verifies } from '@proto/test-support/verifies';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { TextBatch } from './lines/batch.ts';
import { TransportError } from './error.ts';
import { flattenIncoming, incomingMessage } from './lines/incoming.ts';
import { createMemoryPair, type MemoryOptions } from './memory.ts';
import { relay, type RelayOptions, type RelaySide } from './relay.ts';
import { never, numbered, received, scripted, stateOf } from './scripted-driver.test-support.ts';
import type { Batch, Transport } from './transport.ts';

/** A host and an agent, each on its own link, and a relay between them. */
function relayed(options: RelayOptions = {}, limits: MemoryOptions = {}) {
  const near = createMemoryPair(limits);
  const far = createMemoryPair(limits);
  return { near, far, host: near.host, agent: far.agent, ended: relay(near.agent, far.host, options) };
}

function textBatch(...texts: readonly string[]): Batch {
  const batch = new TextBatch();
  for (const text of texts) batch.append(text);
  return batch;
}

function flagsOf(batch: Batch): readonly boolean[] {
  return Array.from(batch.messages(), ({ ephemeral }) => ephemeral);
}

/** All texts that arrive until the end, unchanged. */
async function textsOf({ incoming }: Transport): Promise<readonly string[]> {
  const texts: string[] = [];
  for await (const item of flattenIncoming(incoming)) if (item.kind === 'message') texts.push(item.text);
  return texts;
}

// Lines that parsing and writing would change: unknown members, odd order, odd numbers, escapes, a repeated member.
const ODD = [
  '{"z":1,"type":"unknown_type","a":[1.0,1e3,-0,12345678901234567890,0.1000]}',
  '{"type":"user","message":{"content":"\\u00e9\\u2028\\/ \\ud83d\\ude00"},"type2":null}',
  '{ "type" : "user" , "n":1,"n":2 }',
  'no JSON at all',
];

describe('a relay forwards', () => {
  test('messages in both directions, in order and byte for byte, without parsing them', async () => {
    const { host, agent, ended } = relayed();
    await host.send(textBatch(...ODD));
    await agent.send(textBatch(...ODD.toReversed()));
    void host.end();
    void agent.end();
    expect(await Promise.all([textsOf(agent), textsOf(host)])).toEqual([ODD, ODD.toReversed()]);
    const { a, b } = await ended;
    expect([a.error, b.error]).toEqual([undefined, undefined]);
  });

  test('messages as ephemeral if the option says so for their side and text', async () => {
    const source = createMemoryPair();
    const written: boolean[] = [];
    const target = scripted({ write: (batch) => void written.push(...flagsOf(batch)) });
    const isEphemeral: RelayOptions['isEphemeral'] = (from, { text }) => from === 'a' && text.startsWith('{"delta"');
    void relay(source.agent, target.transport, { isEphemeral });
    target.control.opened();
    await source.host.send(textBatch('{"delta":1}', '{"whole":1}'));
    await expect.poll(() => written).toEqual([true, false]);
    target.transport.abort();
  });

  test('a line end within a message as a space, because the message must stay one line', async () => {
    const source = scripted();
    const far = createMemoryPair();
    void relay(source.transport, far.host);
    source.control.opened();
    source.control.receive([incomingMessage('{"type":"user",\n"n":1}')]);
    expect((await flattenIncoming(far.agent.incoming).next()).value).toMatchObject({ text: '{"type":"user", "n":1}' });
    source.transport.abort();
  });

  type Step = { readonly from: RelaySide; readonly sizes: readonly number[] } | 'hold' | 'release';
  const steps = fc.array(
    fc.oneof(
      fc.record({
        from: fc.constantFrom<RelaySide>('a', 'b'),
        sizes: fc.array(fc.integer({ min: 0, max: 300 }), { maxLength: 6 }),
      }),
      fc.constantFrom('hold' as const, 'release' as const),
    ),
    { maxLength: 30 },
  );

  test('property: all messages once and in order, for any batches and any stops of either link', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (schedule: readonly Step[]) => {
        const { near, far, host, agent, ended } = relayed({}, { maxIncomingBytes: 500 });
        const read = [textsOf(host), textsOf(agent)];
        const sent: Record<RelaySide, string[]> = { a: [], b: [] };
        for (const step of schedule) {
          if (typeof step === 'string') {
            near[step]();
            if (sent.a.length % 2 === 0) far[step]();
          } else {
            const texts = step.sizes.map(
              (size, n) => `{"n":${sent[step.from].length + n},"text":"${'x'.repeat(size)}"}`,
            );
            sent[step.from].push(...texts);
            void (step.from === 'a' ? host : agent).send(textBatch(...texts));
          }
          await Promise.resolve();
        }
        near.release();
        far.release();
        void host.end();
        void agent.end();
        expect(await Promise.all(read)).toEqual([sent.b, sent.a]);
        const { a, b } = await ended;
        expect([a.error, b.error]).toEqual([undefined, undefined]);
      }),
      { numRuns: 300 },
    );
  }, 30_000);
});

describe('back pressure of a relay', () => {
  test('a side that does not read blocks only the direction towards it', async () => {
    const { host, agent } = relayed({}, { maxIncomingBytes: 1000 });
    const sent = Array.from({ length: 2000 }, (_, n) => host.send(numbered(n)));
    await agent.send(numbered(1));
    expect((await flattenIncoming(host.incoming).next()).value).toMatchObject({ text: '{"type":"n","n":1}' });
    expect(await stateOf(sent.at(-1) ?? never)).toBe('pending');
    const items = flattenIncoming(agent.incoming);
    for (let n = 0; n < 2000; n++) expect((await items.next()).value).toMatchObject({ text: `{"type":"n","n":${n}}` });
    await Promise.all(sent);
    host.abort();
  });

  test('a batch is taken after the last one was written', async () => {
    const source = scripted();
    let taken = () => {};
    const target = scripted({ write: () => new Promise<void>((resolve) => (taken = resolve)) });
    void relay(source.transport, target.transport);
    source.control.opened();
    target.control.opened();
    for (const n of [1, 2, 3]) {
      source.control.receive([received(n)]);
      await stateOf(never);
    }
    expect(target.calls).toEqual(['write 1']);
    taken();
    await stateOf(never);
    expect(target.calls).toEqual(['write 1', 'write 2 3']);
    source.transport.abort();
  });

  test('a notice is not forwarded: it is reported, and acknowledged with the messages before it', async () => {
    const acknowledged: string[] = [];
    const reported: unknown[] = [];
    const source = scripted({
      resumption: { cursor: undefined, acknowledge: (cursor) => void acknowledged.push(cursor) },
    });
    const target = createMemoryPair();
    const ended = relay(source.transport, target.host, { onItem: (from, item) => reported.push([from, item]) });
    source.control.opened();
    const notice = { kind: 'notice', event: 'control_resolved', data: { request_id: 'r' }, cursor: '2' } as const;
    source.control.receive([incomingMessage('{"type":"n"}', { cursor: '1' }), notice]);
    source.control.ended();
    expect(await textsOf(target.agent)).toEqual(['{"type":"n"}']);
    source.control.closed();
    await ended;
    expect([reported, acknowledged]).toEqual([[['a', notice]], ['2']]);
  });

  test('a cursor is acknowledged after its message was written, and not earlier', async () => {
    const acknowledged: string[] = [];
    const source = scripted({
      resumption: { cursor: undefined, acknowledge: (cursor) => void acknowledged.push(cursor) },
    });
    let taken = () => {};
    const target = scripted({ write: () => new Promise<void>((resolve) => (taken = resolve)) });
    void relay(source.transport, target.transport);
    source.control.opened();
    target.control.opened();
    source.control.receive([incomingMessage('{}', { cursor: '7' }), incomingMessage('{}', { cursor: '8' })]);
    await stateOf(never);
    expect(acknowledged).toEqual([]);
    taken();
    await stateOf(never);
    expect(acknowledged).toEqual(['8']);
    source.transport.abort();
  });
});

describe('the end of a relay', () => {
  test('passes a half-close on, and keeps the other direction open', async () => {
    const { host, agent, ended } = relayed();
    await host.send(numbered(1));
    void host.end();
    expect(await textsOf(agent)).toEqual(['{"type":"n","n":1}']);
    await agent.send(numbered(2));
    void agent.end();
    expect(await textsOf(host)).toEqual(['{"type":"n","n":2}']);
    await ended;
  });

  test('closes the other side after all messages of the side that left', async () => {
    const { host, agent, ended } = relayed({}, { maxIncomingBytes: 1000 });
    for (let n = 0; n < 100; n++) void host.send(numbered(n));
    void host.close();
    expect(await textsOf(agent)).toHaveLength(100);
    expect(await agent.closed).toEqual({ by: 'peer' });
    expect(await ended).toEqual({ first: 'a', a: { by: 'peer' }, b: { by: 'local' } });
  });

  test('sends the final messages to the other side after a lost link, after all messages and before the end', async () => {
    const reported: unknown[] = [];
    const finalMessages: RelayOptions['finalMessages'] = (of, close) => {
      reported.push([of, close.error?.code]);
      return textBatch('{"type":"gone"}');
    };
    const { host, ended, far } = relayed({ finalMessages });
    await far.agent.send(numbered(1));
    await stateOf(never);
    far.agent.abort();
    expect(await textsOf(host)).toEqual(['{"type":"n","n":1}', '{"type":"gone"}']);
    expect(reported).toEqual([['b', 'lost']]);
    expect(await ended).toMatchObject({ first: 'b', a: { by: 'local' }, b: { by: 'link', error: { code: 'lost' } } });
  });

  test('sends no final messages after a clean end', async () => {
    const { host, agent, ended } = relayed({ finalMessages: () => textBatch('{"type":"gone"}') });
    void agent.close();
    expect(await textsOf(host)).toEqual([]);
    await ended;
  });

  test('does not wait for a side that never reads after the other has gone, and hands its messages over', async () => {
    const source = scripted();
    const target = scripted({ write: () => never, closing: () => void target.calls.push('closing') });
    void relay(source.transport, target.transport);
    target.control.opened();
    source.control.opened();
    source.control.receive([received(1)]);
    await stateOf(never);
    source.control.receive([received(2)]);
    source.control.closed();
    await stateOf(never);
    expect(target.calls).toEqual(['write 1', 'closing']);
    target.transport.abort();
  });
});

describe('an item that a relay cannot forward', () => {
  test('is reported with its side, and the stream goes on', async () => {
    const reported: unknown[] = [];
    const source = scripted();
    const far = createMemoryPair();
    void relay(source.transport, far.host, { onItem: (from, item) => void reported.push([from, item.kind]) });
    source.control.opened();
    const error = new TransportError('too-large', 'too long');
    source.control.receive([{ kind: 'link', state: 'down', attempt: 1 }, received(1)]);
    source.control.receive([{ kind: 'malformed', error, excerpt: '' }, received(2)]);
    source.control.closed();
    expect(await textsOf(far.agent)).toHaveLength(2);
    expect(reported).toEqual([
      ['a', 'link'],
      ['a', 'malformed'],
    ]);
  });

  test.each([
    ['rejected', 'goes on', ['write 1', 'write 2']],
    ['lost', 'ends both sides', ['write 1', 'close']],
  ] as const)('a batch that fails as %s is reported, and the relay %s', async (code, _, calls) => {
    const undelivered: unknown[] = [];
    const source = scripted();
    const target = scripted({ write: () => Promise.reject(new TransportError(code, 'no')) });
    void relay(source.transport, target.transport, {
      onUndelivered: (to, error, { count }) => void undelivered.push([to, error.code, count]),
    });
    source.control.opened();
    target.control.opened();
    source.control.receive([received(1)]);
    await stateOf(never);
    source.control.receive([received(2)]);
    await stateOf(never);
    expect(target.calls).toEqual(calls);
    expect(undelivered[0]).toEqual(['b', code, 1]);
    expect(source.calls.includes('close')).toBe(code === 'lost');
    source.transport.abort();
  });
});

verifies('HOST-21', 'a tap sees each message with its direction and its text, and may parse it', async () => {
  const seen: unknown[] = [];
  const tap: RelayOptions['tap'] = (from, message) =>
    void seen.push([from, message.text, message.read().message?.type]);
  const { host, agent, ended } = relayed({ tap });
  await host.send(numbered(1));
  await stateOf(never);
  await agent.send(numbered(2));
  void host.end();
  void agent.end();
  await ended;
  expect(seen).toEqual([
    ['a', '{"type":"n","n":1}', 'n'],
    ['b', '{"type":"n","n":2}', 'n'],
  ]);
});
