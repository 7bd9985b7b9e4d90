import { ProtocolError } from '@proto/core';
import { encodeBatch, createMemoryPair, TransportError } from '@proto/core/transport';
import { verifies } from '@proto/test-support/verifies';
import { describe, expect, test } from 'vitest';
import { parseRecording, type Recording } from '../recording.ts';
import { askingAgent, converse, tape } from '../session.test-support.ts';
import { createFrameMatch, type MatchMode } from './frame-match.ts';
import { createReplay, replay, type ReplayOptions } from './replay.ts';

async function recordSession(): Promise<Recording> {
  const recorded = tape();
  await converse(recorded.record(askingAgent()));
  return recorded.read();
}

const linesOf = ({ entries }: Recording) =>
  entries.flatMap((entry) =>
    'line' in entry ? [`${entry.dir} ${entry.line}`] : 'end' in entry ? [`${entry.dir} end`] : [],
  );

/** Replaces ids that differ from run to run with numbers. */
const steady = (recording: Recording) => {
  const lines = linesOf(recording).join('\n');
  const ids = lines.matchAll(/"(?:request_id|session_id|\w*uuid)":"([^"]+)"/g);
  return [...new Set([...ids].map(([, id = '']) => id))]
    .reduce((text, id, index) => text.replaceAll(id, `#${index}`), lines)
    .split('\n');
};

describe('a replay', () => {
  test('leaves out the notices of the server, because a replay has no server', async () => {
    const said = { type: 'system' };
    const entries: Recording['entries'] = [
      { t: 0, notice: 'delivery_update', data: { event_id: 'U1' } },
      { t: 1, dir: 'from-agent', line: JSON.stringify(said) },
      { t: 2, dir: 'from-agent', end: true },
      { t: 3, dir: 'from-host', end: true },
      { t: 4, closed: 'peer' },
    ];
    const text = [{ recording: 1, side: 'host', redacted: true }, ...entries]
      .map((one) => JSON.stringify(one))
      .join('\n');
    const { transport, done } = createReplay(parseRecording(text), { as: 'agent' });
    const items: unknown[] = [];
    for await (const some of transport.incoming) items.push(...some);
    await transport.end();
    await done;
    expect(items).toMatchObject([{ kind: 'message', text: JSON.stringify(said) }]);
  });

  verifies(
    ['TEST-2', 'TEST-3'],
    'of the agent to a live host says the same again; its recording is the same',
    async () => {
      const recording = await recordSession();
      const { transport, done } = createReplay(recording, { as: 'agent' });
      const recorded = tape();
      expect(await converse(recorded.record(transport))).toEqual(expect.arrayContaining(['assistant', 'result']));
      await done;
      expect(steady(recorded.read())).toEqual(steady(recording));
    },
  );

  verifies(['TEST-2', 'TEST-3'], 'of the host to a live agent does so too', async () => {
    const recording = await recordSession();
    const recorded = tape();
    // The times and counts that an agent reports differ in every run.
    await replay(recording, recorded.record(askingAgent()), { as: 'host', match: 'shape' });
    const types = (of: Recording) =>
      linesOf(of).map((line) => `${line.slice(0, 10)} ${/"type":"(\w+)"/.exec(line)?.[1] ?? 'end'}`);
    expect(types(recorded.read())).toEqual(types(recording));
  });

  verifies('TEST-3', 'of both sides to each other, recorded, is the recording but for its times', async () => {
    const recording = await recordSession();
    const { host, agent } = createMemoryPair();
    const recorded = tape();
    await Promise.all([
      replay(recording, recorded.record(host), { as: 'host', match: 'strict' }),
      replay(recording, agent, { as: 'agent', match: 'strict' }),
    ]);
    expect(linesOf(recorded.read())).toEqual(linesOf(recording));
  });

  verifies('TEST-2', 'fails where the live side does something else, and shows what', async () => {
    const recording = await recordSession();
    const { transport, done } = createReplay(recording, { as: 'agent' });
    const talk = converse(transport, { prompt: 'stay' });
    await expect(done).rejects.toThrow(
      /^the replay diverges at line 3 of the recording, from-host:\n {2}message\.content: recorded "go", now "stay"$/,
    );
    await expect(talk).rejects.toMatchObject({ code: 'lost' });
    const secret = createReplay(recording, { as: 'agent' });
    await converse(secret.transport, { prompt: 'export TOKEN=hunter22' }).catch(() => {});
    await expect(secret.done).rejects.toThrow(/now "export TOKEN=\[redacted\]"/);
    const denied = createReplay(recording, { as: 'agent' });
    await converse(denied.transport, { behavior: 'deny' }).catch(() => {});
    await expect(denied.done).rejects.toThrow(/response\.response\.behavior: recorded "allow", now "deny"/);
  });

  verifies('TEST-2', 'fails where it says more, or nothing more', async () => {
    const recording = parse('from-host {"type":"a"}', 'from-host end');
    const say = async (...messages: object[]) => {
      const { transport, done } = createReplay(recording, { as: 'agent' });
      if (messages.length > 0) await transport.send(encodeBatch(...messages));
      await transport.end();
      return done;
    };
    await say({ type: 'a' });
    await expect(say()).rejects.toThrow('the recording has {"type":"a"}, but nothing more arrived');
    await expect(say({ type: 'a' }, { type: 'b' })).rejects.toThrow(
      'the recording ends here, but the peer sent {"type":"b"}',
    );
  });

  verifies('TEST-2', 'of a host that left at the result ignores what an agent says after the result', async () => {
    const { header, entries } = await recordSession();
    const result = entries.findIndex((entry) => 'line' in entry && entry.line.includes('"type":"result"'));
    const rest = entries.slice(result + 1).filter((entry) => !('line' in entry));
    expect(rest.length).toBeGreaterThan(0);
    const cut: Recording = { header, entries: [...entries.slice(0, result + 1), ...rest] };
    await replay(cut, askingAgent(), { as: 'host', match: 'shape' });
  });

  verifies('TEST-2', 'goes step by step, and as fast as it is asked to', async () => {
    const recording = await recordSession();
    const steps: string[] = [];
    const { transport, done } = createReplay(recording, { as: 'agent', onStep: (line) => void steps.push(line) });
    await converse(transport);
    await done;
    expect(steps).toHaveLength(linesOf(recording).filter((line) => line.startsWith('from-agent {')).length);
    const slow = parse('from-agent {"type":"a"}');
    const far = { ...slow, entries: slow.entries.map((entry) => ({ ...entry, t: 2e9 })) };
    const patient = createReplay(far, { as: 'agent', speed: 1e9 });
    await patient.done;
    const said: string[] = [];
    const waiting = createReplay(far, { as: 'agent', speed: 1, onStep: (line) => void said.push(line) });
    await new Promise((resolve) => setImmediate(resolve));
    expect(said).toEqual([]);
    waiting.transport.abort();
    await expect(waiting.done).rejects.toSatisfy(TransportError.is);
  });

  test('gives up with a peer that is gone', async () => {
    const { host, agent } = createMemoryPair();
    host.abort();
    const recording = parse('from-agent {"type":"a"}', 'from-agent {"type":"b"}');
    await expect(replay(recording, agent, { as: 'agent' } satisfies ReplayOptions)).rejects.toSatisfy(
      TransportError.is,
    );
    expect(
      ProtocolError.is(await replay(parse('from-host {"type":"a"}'), agent, { as: 'agent' }).catch((e: unknown) => e)),
    ).toBe(false);
  });
});

/** A recording of these lines. */
function parse(...lines: string[]): Recording {
  const entries = lines.map((text, t) => {
    const [dir, line] = [text.slice(0, text.indexOf(' ')), text.slice(text.indexOf(' ') + 1)];
    return JSON.stringify(line === 'end' ? { t, dir, end: true } : { t, dir, line });
  });
  return parseRecording(['{"recording":1,"side":"host","redacted":true}', ...entries].join('\n'));
}

describe('a live line', () => {
  const differences = (mode: MatchMode, recorded: unknown, live: unknown) =>
    createFrameMatch(mode)
      .differences(JSON.stringify(recorded), JSON.stringify(live))
      .map(({ path }) => path.join('.'));

  test('may have other ids, but one for each', () => {
    const twice = (a: string, b: string) => ({ uuid: a, of: { message_uuid: b } });
    expect(differences('ids', twice('x', 'x'), twice('y', 'y'))).toEqual([]);
    expect(differences('ids', twice('x', 'x'), twice('y', 'z'))).toEqual(['of.message_uuid']);
    expect(differences('ids', { text: 'x' }, { text: 'y' })).toEqual(['text']);
    expect(differences('strict', { uuid: 'x' }, { uuid: 'y' })).toEqual(['']);
    const frames = createFrameMatch('ids');
    frames.differences('{"request_id":"x"}', '{"request_id":"y"}');
    expect(frames.translated('{"response":{"request_id":"x"}, "n":1.0}')).toBe('{"response":{"request_id":"y"},"n":1}');
    expect(frames.translated('{ "other": 1.0 }')).toBe('{ "other": 1.0 }');
  });

  test('may answer a request of the recording that has the same id as a live request', () => {
    const request = (id: string) => `{"type":"control_request","request_id":"${id}"}`;
    const answer = (id: string) => `{"type":"control_response","response":{"request_id":"${id}"}}`;
    const frames = createFrameMatch('ids');
    expect(frames.differences(request('r1'), request('live1'))).toEqual([]);
    expect(frames.differences(answer('r1'), answer('r1'))).toEqual([]);
    expect(frames.differences(answer('r2'), answer('r1'))).toHaveLength(1);
    expect(frames.translated(request('r1'))).toBe(request('r1'));
    expect(frames.translated(answer('r1'))).toBe(answer('live1'));
    expect(frames.translated('{"type":"control_cancel_request","request_id":"r1"}')).toContain('"r1"');
    // The side that sent the requests lists the open requests in one of its answers.
    const list = (id: string) =>
      `{"type":"control_response","response":{"request_id":"r1","pending":[${request(id)}]}}`;
    expect(frames.differences(list('r1'), list('live1'))).toEqual([]);
  });

  test('may say what it likes where something was redacted', () => {
    expect(differences('ids', { text: 'it is [redacted].' }, { text: 'it is 1.' })).toEqual([]);
    expect(differences('ids', { text: 'it is [redacted].' }, { text: 'it was 1.' })).toEqual(['text']);
  });

  test('may be of the same shape only', () => {
    const recorded = { type: 'result', ms: 1, list: [1, 2], by: { a: 'x' } };
    expect(differences('shape', recorded, { ...recorded, ms: 5, list: [3], by: { a: 'y', b: 1 }, more: 1 })).toEqual(
      [],
    );
    expect(differences('shape', recorded, { ...recorded, type: 'user', ms: '5', by: {} })).toEqual([
      'type',
      'ms',
      'by.a',
    ]);
    expect(differences('ids', recorded, { ...recorded, more: 1, list: [1] })).toEqual(['list.1', 'more']);
  });
});

test.each([
  ['', /line 1: it has no header/],
  ['{"t":1,"dir":"from-host","line":"x"}', /line 1: it has no header/],
  ['{"recording":2}', /version 2/],
  ['{"recording":1}\n\nno json', /line 3: it is not JSON/],
  ['{"recording":1}\n{"t":1,"dir":"sideways","line":"x"}', /line 2: it is not an entry/],
])('%j is not a recording', (text, error) => {
  expect(() => parseRecording(text)).toThrow(error);
});
