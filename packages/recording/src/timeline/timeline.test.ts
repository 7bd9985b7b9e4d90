import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Direction, RecordingEntry } from '../recording.ts';
import { Timeline } from './timeline.ts';

type Sent = readonly [from: 'host' | 'agent', message: object];

/** A timeline of messages that arrive one millisecond apart. */
function timelineOf(...sent: readonly Sent[]): Timeline {
  const timeline = new Timeline();
  for (const [index, [from, message]] of sent.entries()) timeline.push(entry(from, message, index));
  return timeline;
}

function entry(from: 'host' | 'agent', message: object, t: number): RecordingEntry {
  return { t, dir: `from-${from}` satisfies Direction, line: JSON.stringify(message) };
}

const prompt = (uuid?: string): Sent => ['host', { type: 'user', uuid, message: { role: 'user', content: 'go' } }];
const request = (from: 'host' | 'agent', request_id: string, request: object): Sent => [
  from,
  { type: 'control_request', request_id, request },
];
const answer = (from: 'host' | 'agent', request_id: string, response: object = {}): Sent => [
  from,
  { type: 'control_response', response: { subtype: 'success', request_id, response } },
];
const permission = (id: string, tool_use_id: string) =>
  request('agent', id, { subtype: 'can_use_tool', tool_name: 'Bash', input: {}, tool_use_id });
const assistant = (content: readonly object[], parent: string | null = null): Sent => [
  'agent',
  { type: 'assistant', message: { id: 'm', role: 'assistant', content }, parent_tool_use_id: parent },
];
const call = (id: string, name = 'Bash') => ({ type: 'tool_use', id, name, input: {} });
const returned = (...ids: readonly string[]): Sent => [
  'agent',
  { type: 'user', message: { role: 'user', content: ids.map((id) => ({ type: 'tool_result', tool_use_id: id })) } },
];
const result = (more: object = {}): Sent => ['agent', { type: 'result', subtype: 'success', is_error: false, ...more }];
const system = (subtype: string, more: object = {}): Sent => ['agent', { type: 'system', subtype, ...more }];

/** Each span as `kind name first-last outcome`. */
function spansOf(timeline: Timeline): string[] {
  return Array.from({ length: timeline.spanCount }, (_, index) => {
    const { kind, name, first, last, status, outcome } = timeline.span(index);
    return `${kind} ${name} ${first}-${last ?? ''} ${status === 'open' ? 'open' : outcome}`;
  });
}

describe('spans', () => {
  test('a turn lasts from its prompt to its result, and an aborted turn is cancelled', () => {
    const timeline = timelineOf(prompt(), result(), prompt(), result({ terminal_reason: 'aborted_streaming' }));
    expect(spansOf(timeline)).toEqual(['turn turn 1 0-1 success', 'turn turn 2 2-3 success']);
    expect([0, 1].map((index) => timeline.span(index).status)).toEqual(['ok', 'cancelled']);
  });

  test('an agent that begins to work by itself begins a turn', () => {
    expect(spansOf(timelineOf(system('init'), assistant([]), result()))).toEqual(['turn turn 1 0-2 success']);
  });

  test('a noted text, a repeated prompt and a prompt in a running turn begin no turn', () => {
    const noted: Sent = ['host', { type: 'user', shouldQuery: false, message: { role: 'user', content: '' } }];
    const timeline = timelineOf(noted, result(), prompt('u'), prompt('v'), result(), prompt('u'));
    expect(spansOf(timeline)).toEqual(['turn turn 1 2-4 success']);
  });

  test('an answer ends the request of the other side that has its id', () => {
    const timeline = timelineOf(
      request('host', '1', { subtype: 'interrupt' }),
      permission('1', 't'),
      answer('host', '1', { behavior: 'deny', message: 'no' }),
      answer('agent', '1'),
    );
    expect(spansOf(timeline)).toEqual(['request interrupt 0-3 success', 'permission Bash 1-2 deny']);
    expect(timeline.durationOf(timeline.span(0))).toBe(3);
  });

  test('a request that its sender withdraws is cancelled, and a later answer belongs to nothing', () => {
    const timeline = timelineOf(
      permission('1', 't'),
      ['agent', { type: 'control_cancel_request', request_id: '1' }],
      answer('host', '1', { behavior: 'allow' }),
    );
    expect(spansOf(timeline)).toEqual(['permission Bash 0-1 cancelled']);
    expect([0, 1, 2].map((index) => timeline.frame(index).unmatched)).toEqual([false, false, true]);
    expect(timeline.counts.unmatched).toBe(1);
  });

  test('an error answers a request, too', () => {
    const failed = { type: 'control_response', response: { subtype: 'error', request_id: '1', error: 'no' } };
    const timeline = timelineOf(request('host', '1', { subtype: 'set_model' }), ['agent', failed]);
    expect(timeline.span(0)).toMatchObject({ status: 'error', outcome: 'error', last: 1 });
  });

  test('hooks and MCP messages are named by their event and their method', () => {
    const timeline = timelineOf(
      request('agent', '1', { subtype: 'hook_callback', callback_id: 'h', input: { hook_event_name: 'PreToolUse' } }),
      request('agent', '2', { subtype: 'mcp_message', server_name: 's', message: { method: 'tools/call' } }),
      answer('host', '2'),
      answer('host', '1'),
    );
    expect(spansOf(timeline)).toEqual(['hook PreToolUse 0-3 success', 'mcp tools/call 1-2 success']);
  });

  test('a call of a tool ends with its result, and its permission is a part of it', () => {
    const timeline = timelineOf(
      prompt(),
      assistant([call('a'), call('b', 'Read')]),
      permission('1', 'a'),
      answer('host', '1', { behavior: 'allow' }),
      returned('b', 'a'),
    );
    expect(spansOf(timeline)).toEqual([
      'turn turn 1 0- open',
      'tool Bash 1-4 success',
      'tool Read 1-4 success',
      'permission Bash 2-3 allow',
    ]);
    expect([1, 2, 3].map((index) => timeline.span(index).parent)).toEqual([0, 0, 1]);
    expect([...timeline.begunBy(timeline.frame(1))].map(({ index }) => index)).toEqual([1, 2]);
    expect([...timeline.endedBy(timeline.frame(4))].map(({ index }) => index)).toEqual([1, 2]);
    expect([...timeline.open()].map(({ kind }) => kind)).toEqual(['turn']);
  });

  test('messages of a subagent are a part of its call, also where the name of the tool is unknown', () => {
    const timeline = timelineOf(prompt(), assistant([call('a', 'Delegate')]), assistant([call('b')], 'a'));
    expect(spansOf(timeline).slice(1)).toEqual(['subagent Delegate 1- open', 'tool Bash 2- open']);
    expect(timeline.span(2).parent).toBe(1);
    expect(timeline.frame(2).within).toBe(1);
  });

  test('a subagent in the background works on as its task, and begins no turn', () => {
    const timeline = timelineOf(
      prompt(),
      assistant([call('a', 'Agent')]),
      system('task_started', { task_id: 'k', tool_use_id: 'a', task_type: 'local_agent' }),
      returned('a'),
      result(),
      assistant([], 'a'),
      system('task_updated', { task_id: 'k', patch: { status: 'completed' } }),
      system('task_notification', { task_id: 'k', status: 'completed' }),
    );
    expect(spansOf(timeline)).toEqual([
      'turn turn 1 0-4 success',
      'subagent Agent 1-3 success',
      'task local_agent 2-6 completed',
    ]);
    expect(timeline.frame(5).within).toBe(2);
    expect(timeline.counts.unmatched).toBe(0);
  });

  test('a hook of the agent lasts until its response', () => {
    const hook = { hook_id: 'h', hook_event: 'SessionStart' };
    const timeline = timelineOf(system('hook_started', hook), system('hook_response', { ...hook, outcome: 'error' }));
    expect(spansOf(timeline)).toEqual(['hook SessionStart 0-1 error']);
    expect(timeline.span(0).status).toBe('error');
  });
});

describe('frames', () => {
  test('each entry of a recording is a frame with its name and its place', () => {
    const timeline = new Timeline();
    const entries: RecordingEntry[] = [
      { t: 0, dir: 'from-host', lost: 'overflow', excerpt: 'x' },
      { t: 1, link: 'down', attempt: 1 },
      { t: 2, link: 'up', attempt: 1, resumed: false },
      { t: 3, notice: 'catch_up_truncated', data: {}, cursor: '7' },
      { t: 4, dir: 'from-agent', end: true },
      { t: 5, closed: 'peer', status: 0 },
    ];
    for (const [index, each] of entries.entries()) timeline.push(each, { offset: 10 * index, bytes: 9 });
    const frames = entries.map((_, index) => timeline.frame(index));
    expect(frames.map(({ name }) => name)).toEqual([
      'lost/overflow',
      'link/down',
      'link/up',
      'notice/catch_up_truncated',
      'end',
      'closed/peer',
    ]);
    expect(frames[3]).toMatchObject({ time: 3, kind: 'notice', dir: undefined, offset: 30, bytes: 9 });
    expect(frames[4]).toMatchObject({ kind: 'end', dir: 'from-agent', check: 'known' });
    expect(timeline.counts).toEqual({ frames: 6, invalid: 0, unknown: 0, unmatched: 0, lost: 1, linksDown: 1 });
    expect(timeline.cursors).toEqual({ last: '7', gaps: [2, 3] });
  });

  test('a frame says whether the schemas know it', () => {
    const timeline = new Timeline();
    const check = (line: string) => timeline.push({ t: 0, dir: 'from-agent', line }).check;
    expect(check('{"type":"keep_alive"}')).toBe('known');
    expect(check('{"type":"moon_rise"}')).toBe('unknown');
    expect(check('{"type":"result"}')).toBe('invalid');
    expect(check('[1]')).toBe('invalid');
    expect(check('{')).toBe('invalid');
    expect(timeline.counts).toMatchObject({ unknown: 1, invalid: 3 });
  });

  test('a frame without a time has no time, and its spans have no duration', () => {
    const timeline = new Timeline();
    timeline.push(entry('host', prompt()[1], Number.NaN));
    timeline.push(entry('agent', result()[1], Number.NaN));
    expect(timeline.frame(0).time).toBeUndefined();
    expect(timeline.durationOf(timeline.span(0))).toBeUndefined();
  });

  test('a number that has no frame or span is refused', () => {
    const timeline = timelineOf(prompt());
    expect(() => timeline.frame(1)).toThrow('frame 1 does not exist: the timeline contains only 1');
    expect(() => timeline.frame(-1)).toThrow(RangeError);
    expect(() => timeline.span(1)).toThrow('span 1 does not exist: the timeline contains only 1');
  });
});

describe('the cost', () => {
  test('the index takes at most 64 bytes a frame, when every second frame begins a span', () => {
    const frames = 2 ** 16;
    const timeline = new Timeline();
    for (let n = 0; n < frames / 2; n++) {
      timeline.push(entry('host', request('host', String(n), { subtype: 'interrupt' })[1], n));
      timeline.push(entry('agent', answer('agent', String(n))[1], n));
    }
    expect(timeline.length).toBe(frames);
    expect(timeline.indexBytes / frames).toBeLessThanOrEqual(64);
    expect(timeline.indexBytes).toBeGreaterThan(0);
    expect([...timeline.open()]).toEqual([]);
  });

  test('names without end share one name above the limit', () => {
    const timeline = new Timeline();
    for (let n = 0; n < 66_000; n++) timeline.push({ t: 0, dir: 'from-agent', line: `{"type":"moon_${n}"}` });
    expect(timeline.frame(0).name).toBe('moon_0');
    expect(timeline.frame(65_999).name).toBe('…');
  });
});

describe('whatever the peers send', () => {
  const ids = fc.constantFrom('1', '2', 't');
  const sent: fc.Arbitrary<Sent> = fc.oneof(
    fc.constant(prompt()),
    fc.constant(result()),
    fc
      .tuple(fc.constantFrom('host' as const, 'agent' as const), ids)
      .map(([from, id]) => request(from, id, { subtype: 'x' })),
    fc.tuple(fc.constantFrom('host' as const, 'agent' as const), ids).map(([from, id]) => answer(from, id)),
    ids.map((id) => permission(id, 't')),
    ids.map((id) => assistant([call(id)])),
    fc.array(ids).map((list) => returned(...list)),
    ids.map((id) => system('task_started', { task_id: id, tool_use_id: 't' })),
    ids.map((id) => system('task_notification', { task_id: id, status: 'failed' })),
    fc.tuple(fc.constantFrom('host' as const, 'agent' as const), fc.object()),
  );

  test('each span begins before it ends, is ended by one frame, and open ones are exactly those without an end', () => {
    fc.assert(
      fc.property(fc.array(sent, { maxLength: 60 }), (messages) => {
        const timeline = timelineOf(...messages);
        const endings = messages.flatMap((_, index) =>
          [...timeline.endedBy(timeline.frame(index))].map((span) => [span.index, index]),
        );
        const spans = Array.from({ length: timeline.spanCount }, (_, index) => timeline.span(index));
        const ended = spans.filter(({ last }) => last !== undefined);
        expect(endings.toSorted(([a = 0], [b = 0]) => a - b)).toEqual(ended.map(({ index, last }) => [index, last]));
        for (const { first, last, status, parent, index } of spans) {
          expect(last === undefined).toBe(status === 'open');
          if (last !== undefined) expect(last).toBeGreaterThan(first - 1);
          if (parent !== undefined) expect(parent).toBeLessThan(index);
        }
        for (const span of timeline.open()) expect(span.status).toBe('open');
      }),
    );
  });

  test('no line throws', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.string(),
            fc.json(),
            fc.object().map((value) => JSON.stringify(value)),
          ),
        ),
        (lines) => {
          const timeline = new Timeline();
          for (const line of lines) timeline.push({ t: 0, dir: 'from-agent', line });
          expect(timeline.length).toBe(lines.length);
        },
      ),
    );
  });
});
