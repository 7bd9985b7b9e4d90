import { describe, expect, test } from 'vitest';
import { diffRecordings, type DiffOptions, type RecordingDifference } from './diff-recordings.ts';
import { recordingText } from './recording-text.ts';

const HEADER = { recording: 1, side: 'host', redacted: false };
const host = (message: object) => ({ dir: 'from-host', line: JSON.stringify(message) });
const agent = (message: object) => ({ dir: 'from-agent', line: JSON.stringify(message) });
const prompt = (content: string) =>
  host({ type: 'user', message: { role: 'user', content }, uuid: crypto.randomUUID() });
const says = (text: string) =>
  agent({
    type: 'assistant',
    uuid: crypto.randomUUID(),
    session_id: crypto.randomUUID(),
    message: { id: `msg_${Math.random()}`, role: 'assistant', content: [{ type: 'text', text }] },
  });
const result = (ms: number) =>
  agent({ type: 'result', subtype: 'success', is_error: false, duration_ms: ms, result: 'done', timeout_ms: 7 });

/** A recording whose entries are the given number of milliseconds apart. */
const text = (entries: readonly object[], apart = 1) =>
  recordingText(
    [HEADER, ...entries.map((entry, index) => ({ t: index * apart, ...entry }))]
      .map((line) => `${JSON.stringify(line)}\n`)
      .join(''),
  );

async function differences(a: readonly object[], b: readonly object[], options: DiffOptions = {}) {
  const { differences: all, counts } = await diffRecordings(text(a), text(b, 3), options);
  const list: RecordingDifference[] = [];
  for await (const one of all) list.push(one);
  expect(list).toHaveLength(counts.changed + counts.missing + counts.added);
  return list;
}

describe('two recordings', () => {
  test('with other ids and times are equal', async () => {
    const session = () => [
      prompt('go'),
      says(`at ${new Date(Math.random() * 1e12).toISOString()}`),
      result(Math.random()),
    ];
    expect(await differences(session(), session())).toEqual([]);
  });

  test('are equal however the two sides interleave, and not when one side speaks in another order', async () => {
    const [ask, one, two] = [prompt('go'), says('one'), says('two')];
    expect(await differences([ask, one, two], [one, ask, two])).toEqual([]);
    const moved = await differences([ask, one, two], [ask, two, one]);
    expect(moved.map(({ kind, expected, found }) => [kind, (expected ?? found)?.text])).toEqual([
      ['missing', '"one"'],
      ['added', '"one"'],
    ]);
  });

  test('differ in members, whose paths and values are given', async () => {
    const [one] = await differences([prompt('go'), says('yes')], [prompt('go'), says('no')]);
    expect(one).toEqual({
      kind: 'changed',
      turn: 1,
      dir: 'from-agent',
      name: 'assistant',
      expected: { frame: 2, text: '"yes"' },
      found: { frame: 2, text: '"no"' },
      members: [{ path: 'message.content.0.text', expected: 'yes', found: 'no' }],
    });
  });

  test('differ in a limit that one side gives, and not in a time that was measured', async () => {
    const answer = (name: string, ms: number) => agent({ type: 'result', subtype: 'success', [name]: ms });
    expect(await differences([answer('duration_ms', 1)], [answer('duration_ms', 2)])).toEqual([]);
    expect(await differences([answer('timeout_ms', 1)], [answer('timeout_ms', 2)])).toHaveLength(1);
  });

  test('are aligned around a message that only one has', async () => {
    const rest = () => [prompt('more'), says('b'), says('c'), result(2)];
    const a = [prompt('go'), says('a'), result(1), ...rest()];
    const b = [prompt('go'), says('a'), says('extra'), result(1), ...rest()];
    expect(await differences(a, b)).toMatchObject([{ kind: 'added', turn: 1, found: { frame: 3, text: '"extra"' } }]);
    expect(await differences(b, a)).toMatchObject([{ kind: 'missing', turn: 1, expected: { frame: 3 } }]);
    const turn = await differences(a, rest());
    expect(turn.map(({ kind, turn: number }) => [kind, number])).toEqual([
      ['missing', 1],
      ['missing', 1],
      ['missing', 1],
    ]);
  });

  test('may differ at places that are ignored', async () => {
    const costs = (usage: object) => agent({ type: 'result', subtype: 'success', result: 'x', usage });
    const [a, b] = [[costs({ input: 1, cache: { read: 2 } })], [costs({ input: 2, cache: { read: 3 }, more: 1 })]];
    expect((await differences(a, b))[0]?.members.map(({ path }) => path)).toEqual([
      'usage.input',
      'usage.cache.read',
      'usage.more',
    ]);
    expect(await differences(a, b, { ignore: ['usage.**'] })).toEqual([]);
    expect((await differences(a, b, { ignore: ['$.usage.input', 'usage.more'] }))[0]?.members).toHaveLength(1);
  });

  test('differ in how they end, and in lines that are not JSON', async () => {
    const ends = (status: number) => [{ closed: 'peer', status }];
    expect(await differences(ends(0), ends(1))).toMatchObject([
      { kind: 'changed', name: 'closed/peer', members: [{ path: 'status', expected: 0, found: 1 }] },
    ]);
    const garbled = (line: string) => [{ dir: 'from-agent', line }];
    expect(await differences(garbled('hello'), garbled('world'))).toMatchObject([
      { kind: 'changed', members: [{ path: '', expected: 'hello', found: 'world' }] },
    ]);
    const lost = (code: string) => [{ dir: 'from-agent', lost: code, excerpt: '' }];
    expect(await differences(lost('too-large'), [])).toMatchObject([{ kind: 'missing', name: 'lost/too-large' }]);
  });

  test('of cassettes are compared without the exchanges with the Messages API', async () => {
    const exchange = { api: 1, part: 'request', method: 'POST', path: '/v1/messages', model: 'm' };
    expect(await differences([prompt('go'), exchange, says('a')], [prompt('go'), says('a')])).toEqual([]);
  });

  test('may name other processes and sockets', async () => {
    const init = (pid: number) => [agent({ type: 'system', subtype: 'init', pid, socket: `/tmp/s/${pid}.sock` })];
    expect(await differences(init(1), init(2))).toEqual([]);
  });

  test('one of which is plain lines are compared by what the sides said', async () => {
    const lines = [prompt('go'), says('a')];
    const plain = recordingText(lines.map(({ line }) => `${line}\n`).join(''));
    const { counts } = await diffRecordings(text(lines), plain);
    expect(counts).toEqual({ expectedFrames: 2, foundFrames: 2, changed: 0, missing: 0, added: 0 });
  });
});
