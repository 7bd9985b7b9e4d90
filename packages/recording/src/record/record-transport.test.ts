import { encodeBatch, createMemoryPair, defineTransport, incomingMessage, TransportError } from '@proto/core/transport';
import { verifies } from '@proto/test-support/verifies';
import { describe, expect, test, vi } from 'vitest';
import { createRedactor } from '../redaction/redactor.ts';
import { askingAgent, converse, tape } from '../session.test-support.ts';

describe('a recording', () => {
  verifies('TEST-2', 'has a header, and both directions line by line, in order and on one clock', async () => {
    const recorded = tape();
    const said = await converse(recorded.record(askingAgent()));
    const { header, entries } = recorded.read();
    expect(header).toEqual({ recording: 1, side: 'host', redacted: true });
    const names = entries.map((entry) =>
      'line' in entry ? `${entry.dir} ${(JSON.parse(entry.line) as { type: string }).type}` : Object.keys(entry)[1],
    );
    expect(names.slice(0, 3)).toEqual(['from-host control_request', 'from-host user', 'from-agent control_response']);
    expect(names).toContain('from-agent control_request');
    const messages = names.filter((name) => name?.startsWith('from-agent') && !name.includes('control'));
    expect(messages.slice(0, said.length)).toEqual(said.map((type) => `from-agent ${type}`));
    expect(entries.filter((entry) => 'end' in entry).map(({ dir }) => dir)).toEqual(['from-host']);
    expect(names.at(-1)).toBe('closed');
    const times = entries.map(({ t }) => t);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  });

  verifies('TEST-2', 'has every line unchanged, also a line that is not a message', async () => {
    const { host, agent } = createMemoryPair();
    const recorded = tape();
    const transport = recorded.record(host);
    const lines = ['{ "type" : "a", "n": 1.0 }', 'no json \u2028 at all', '{"type":"b","ü":"日本"}'];
    const batch = {
      count: 3,
      text: `${lines.join('\n')}\n`,
      *messages() {
        for (const text of lines) yield { text, id: undefined, ephemeral: false };
      },
    };
    await agent.send(batch);
    await agent.end();
    await transport.send(batch);
    for await (const _ of transport.incoming);
    const { entries } = recorded.read();
    const texts = (dir: string) =>
      entries.flatMap((entry) => ('line' in entry && entry.dir === dir ? [entry.line] : []));
    expect(texts('from-agent')).toEqual(lines);
    expect(texts('from-host')).toEqual(lines);
  });

  verifies('TEST-2', 'has no end of a peer that this side stopped listening to', async () => {
    const recorded = tape();
    const transport = recorded.record(createMemoryPair().host);
    await transport.close();
    for await (const _ of transport.incoming);
    expect(recorded.read().entries).toEqual([
      expect.objectContaining({ dir: 'from-host', end: true }),
      expect.objectContaining({ closed: 'local' }),
    ]);
  });

  verifies('SAFE-6', 'has no secrets, says where they were, and has them only where that is asked for', async () => {
    const secret = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789';
    const record = async (redactor?: false | ReturnType<typeof createRedactor>) => {
      const { host } = createMemoryPair();
      const recorded = tape(redactor === undefined ? {} : { redactor });
      await recorded.record(host).send(encodeBatch({ type: 'user', text: `it is ${secret}`, pin: '123456' }));
      return { ...recorded.read(), text: recorded.text };
    };
    const usual = await record();
    expect(usual.text).not.toContain(secret);
    expect(usual.entries[0]).toMatchObject({ redacted: ['text'] });
    const own = await record(createRedactor({ paths: ['pin'] }));
    expect(own.entries[0]).toMatchObject({ redacted: ['text', 'pin'] });
    const open = await record(false);
    expect(open.header.redacted).toBe(false);
    expect(open.entries[0]).not.toHaveProperty('redacted');
    expect(open.text).toContain(secret);
  });

  test('has what was lost, the states of the link, what the server said, and how the session ended', async () => {
    const error = new TransportError('too-large', 'too long');
    const recorded = tape();
    let close = () => {};
    const transport = recorded.record(
      defineTransport('scripted', (control) => {
        close = () => control.closed(new TransportError('lost', 'gone'), { status: 3 });
        control.opened();
        control.receive([
          { kind: 'malformed', error, excerpt: 'password=hunter22 and so on' },
          { kind: 'link', state: 'down', attempt: 1 },
          { kind: 'link', state: 'up', attempt: 1, resumed: true },
          { kind: 'notice', event: 'control_resolved', data: { request_id: 'r', password: 'hunter22' }, cursor: '7' },
          { kind: 'notice', event: 'ping', data: undefined },
          incomingMessage('{"type":"a"}'),
        ]);
        return { write() {}, close() {}, abort() {} };
      }),
      'agent',
    );
    await expect(async () => {
      for await (const _ of transport.incoming) close();
    }).rejects.toMatchObject({ code: 'lost' });
    expect(await transport.closed).toMatchObject({ by: 'link', status: 3 });
    expect(recorded.read().entries.map(({ t: _, ...entry }) => entry)).toEqual([
      { dir: 'from-host', lost: 'too-large', excerpt: 'password=[redacted] and so on' },
      { link: 'down', attempt: 1 },
      { link: 'up', attempt: 1, resumed: true },
      {
        notice: 'control_resolved',
        data: { request_id: 'r', password: '[redacted]' },
        cursor: '7',
        redacted: ['password'],
      },
      { notice: 'ping', data: null },
      { dir: 'from-host', line: '{"type":"a"}' },
      { closed: 'link', error: 'lost', status: 3 },
    ]);
  });

  test('that cannot be written takes no session down', async () => {
    const thrown = new Error('disk full');
    const uncaught = vi.fn();
    process.once('uncaughtException', uncaught);
    const listeners = process.listeners('uncaughtException').filter((listener) => listener !== uncaught);
    for (const listener of listeners) process.off('uncaughtException', listener);
    const { host, agent } = createMemoryPair();
    let lines = 0;
    const transport = tape({
      write: () => {
        if (lines++ === 1) throw thrown;
      },
    }).record(host);
    await transport.send(encodeBatch({ type: 'a' }));
    for await (const [item] of agent.incoming) {
      expect(item).toMatchObject({ text: '{"type":"a"}' });
      break;
    }
    expect(uncaught).toHaveBeenCalledWith(thrown, 'uncaughtException');
    for (const listener of listeners) process.on('uncaughtException', listener);
  });
});
