import { verifies } from '@proto/test-support/verifies';
import { expect, test } from 'vitest';
import { codex } from '../backends/codex.ts';
import { sampleNamed } from '../samples.test-support.ts';
import { dispatch, type StreamHandler } from './dispatch.ts';
import { readEvents } from './read-events.ts';

const EVERY = [
  { type: 'session_start' },
  { type: 'text', text: 'a', delta: true },
  { type: 'thinking', text: 'b', delta: true },
  { type: 'tool_call', id: 'i', name: 'n', input: 1 },
  { type: 'tool_progress', id: 'i' },
  { type: 'tool_result', id: 'i', output: 'o', isError: false },
  { type: 'usage', usage: { inputTokens: 1, outputTokens: 1, cacheReadTokens: 1, cacheWriteTokens: 1 }, scope: 'step' },
  { type: 'retry' },
  { type: 'error', message: 'e', fatal: false },
  { type: 'tag_event', topic: 't', payload: 'p' },
  { type: 'info', eventType: 'i' },
  { type: 'unknown', eventType: 'u' },
] as const;

const events = ({ bytes } = sampleNamed('codex-basic.jsonl')) =>
  readEvents(codex, { prompt: '' }, [bytes], { exitCode: 0, signal: null });

verifies('ADAPT-7', 'text, calls, results, errors and the end are passed to their callbacks', async () => {
  const calls: unknown[] = [];
  const { text, ok } = await dispatch(events(), {
    onText: (piece) => calls.push(['text', piece]),
    onToolCall: (name, input) => calls.push(['call', name, input]),
    onToolResult: (id, output) => calls.push(['result', id, output]),
    onError: (message) => calls.push(['error', message.slice(0, 14)]),
    onComplete: (result) => calls.push(['complete', result.ok]),
  });
  expect({ text, ok }).toEqual({ text: 'notes.txt now has 4 lines.', ok: true });
  expect(calls).toEqual([
    ['error', 'Model metadata'],
    ['text', "I'll count the lines first."],
    ['call', 'command_execution', { command: "/bin/bash -lc 'wc -l notes.txt'" }],
    ['result', 'item_3', '3 notes.txt\n'],
    ['call', 'file_change', { changes: expect.any(Array) as unknown }],
    ['result', 'item_4', ''],
    ['call', 'command_execution', { command: "/bin/bash -lc 'cat missing.txt'" }],
    ['result', 'item_5', 'cat: missing.txt: No such file or directory\n'],
    ['text', 'notes.txt now has 4 lines.'],
    ['complete', true],
  ]);
});

test('every event type has an optional callback', async () => {
  async function* every() {
    yield* EVERY;
    for await (const event of events()) if (event.type === 'complete') yield event;
  }
  const calls: string[] = [];
  const handler = new Proxy<StreamHandler>({}, { get: (_, name) => () => void calls.push(String(name)) });
  await dispatch(every(), handler);
  const names = [...EVERY.map(({ type }) => type), 'complete'];
  expect(calls).toEqual(
    names.map((name) => `on${name.replace(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase())}`),
  );
  await expect(dispatch(every(), {})).resolves.toMatchObject({ ok: true });
});

test('an error of a callback rejects the run', async () => {
  const bug = new Error('bug');
  const run = dispatch(events(), {
    onText() {
      throw bug;
    },
  });
  await expect(run).rejects.toBe(bug);
});

test('events without a complete event are refused', async () => {
  async function* none() {}
  await expect(dispatch(none(), {})).rejects.toThrow(TypeError);
});
