import type { WireMessage } from '@proto/core/framing';
import { messageValidator, parseMessage } from '@proto/core/messages';
import { encodeBatch, createMemoryPair } from '@proto/core/transport';
import { createHostSession } from '@proto/host';
import { verifies } from '@proto/test-support/verifies';
import { describe, expect, test } from 'vitest';
import { claude } from '../backends/claude-amp-qwen.ts';
import { copilot } from '../backends/copilot.ts';
import { goose } from '../backends/goose.ts';
import { readEvents } from '../events/read-events.ts';
import { type Sample, sampleNamed, samples } from '../samples.test-support.ts';
import { type ProtoMessageOptions, toProtoMessages } from './to-proto-messages.ts';

async function convert({ backend, bytes, expected }: Sample, options?: ProtoMessageOptions): Promise<WireMessage[]> {
  const events = readEvents(backend, { prompt: '' }, [bytes], { exitCode: expected.exitCode, signal: null });
  const messages: WireMessage[] = [];
  for await (const message of toProtoMessages(events, options)) messages.push(message);
  return messages;
}

type Block = Readonly<Record<string, unknown>>;
const blocksOf = (message: WireMessage) => (message['message'] as { content: Block[] }).content;
const blocksIn = (messages: readonly WireMessage[], type: string, kind: string) =>
  messages
    .filter((message) => message.type === type && message['parent_tool_use_id'] === null)
    .flatMap(blocksOf)
    .filter((block) => block['type'] === kind);

describe.each(samples)('$name', (sample) => {
  const { expected } = sample;

  test('the messages are valid protocol, from init to result', async () => {
    for (const raw of [false, true]) {
      const messages = await convert(sample, { raw });
      for (const message of messages) {
        const parsed = parseMessage(message, { direction: 'from-agent', mode: 'strict' });
        expect(parsed.kind === 'invalid' ? parsed.issues : []).toEqual([]);
      }
      const known = messages.filter(({ subtype }) => !String(subtype).startsWith('adapter_'));
      expect(known[0]).toMatchObject({ type: 'system', subtype: 'init' });
      expect(messages.at(-1)).toMatchObject({ type: 'result', is_error: !expected.complete.ok });
      expect(messages.filter(({ type }) => type === 'result')).toHaveLength(1);
    }
  });

  test('each text, call and result occurs once in whole messages', async () => {
    const messages = await convert(sample);
    const said = blocksIn(messages, 'assistant', 'text').map((block) => block['text']);
    expect(said.join('')).toBe(expected.text);
    const thought = blocksIn(messages, 'assistant', 'thinking').map((block) => block['thinking']);
    expect(thought.join('')).toBe(expected.thinking);
    expect(blocksIn(messages, 'assistant', 'tool_use').map(({ id, name, input }) => ({ id, name, input }))).toEqual(
      expected.toolCalls,
    );
    expect(
      blocksIn(messages, 'user', 'tool_result').map(({ tool_use_id: id, content: output, is_error: isError }) => {
        return { id, output, isError };
      }),
    ).toEqual(expected.toolResults);
  });

  test('a host session can iterate the messages and validates them', async () => {
    const { host, agent } = createMemoryPair();
    const session = createHostSession(host, { validate: messageValidator({ direction: 'from-agent' }) });
    session.initialized.catch(() => {});
    const messages = await convert(sample);
    await agent.send(encodeBatch(...messages));
    await agent.end();
    const seen: WireMessage[] = [];
    for await (const message of session) seen.push(message);
    expect(seen).toEqual(messages);
    expect(session.counters).toMatchObject({ messages: messages.length, malformed: 0 });
  });
});

describe('text in pieces', () => {
  test('is framed as by Claude, with the whole block before content_block_stop', async () => {
    const messages = await convert(sampleNamed('copilot-basic.jsonl'));
    const shape = messages
      .filter(({ type }) => type === 'stream_event' || type === 'assistant')
      .map((message) => String((message['event'] as Block | undefined)?.['type'] ?? blocksOf(message)[0]?.['type']));
    expect(shape.slice(0, 14)).toEqual([
      'message_start',
      'content_block_start',
      'content_block_delta',
      'content_block_delta',
      'thinking',
      'content_block_stop',
      'content_block_start',
      'content_block_delta',
      'content_block_delta',
      'text',
      'content_block_stop',
      'tool_use',
      'message_delta',
      'message_stop',
    ]);
  });

  test('has one message id for each reply', async () => {
    const messages = await convert(sampleNamed('copilot-basic.jsonl'));
    const ids = messages
      .filter(({ type }) => type === 'assistant')
      .map((message) => (message['message'] as { id: string }).id);
    const [first, , third, fourth] = ids;
    expect(ids.slice(0, 3)).toEqual([first, first, first]);
    expect(fourth).not.toBe(third);
  });
});

describe('the result', () => {
  test('has tokens, cost, turns and the answer', async () => {
    expect((await convert(sampleNamed('claude-basic.jsonl'))).at(-1)).toMatchObject({
      subtype: 'success',
      result: 'notes.txt has 3 lines; the other file does not exist.',
      num_turns: 4,
      usage: {
        input_tokens: 4210,
        cache_read_input_tokens: 2900,
        cache_creation_input_tokens: 110,
        output_tokens: 130,
      },
      session_id: sampleNamed('claude-basic.jsonl').expected.sessionId,
    });
  });

  test('has the errors', async () => {
    const { expected } = sampleNamed('codex-api-error.jsonl');
    expect((await convert(sampleNamed('codex-api-error.jsonl'))).at(-1)).toMatchObject({
      subtype: 'error_during_execution',
      errors: [expected.complete.error],
    });
  });

  test('has the session id also when the backend reports the id last', async () => {
    const { expected } = sampleNamed('copilot-basic.jsonl');
    expect((await convert(sampleNamed('copilot-basic.jsonl'))).at(-1)).toMatchObject({
      session_id: expected.sessionId,
    });
  });
});

async function convertLines(backend: Sample['backend'], lines: readonly object[], exitCode: number) {
  const bytes = new TextEncoder().encode(lines.map((line) => JSON.stringify(line)).join('\n'));
  return convert({
    ...sampleNamed('claude-basic.jsonl'),
    backend,
    bytes,
    expected: { ...sampleNamed('claude-basic.jsonl').expected, exitCode },
  });
}

test('steps have their tokens, retries become api_retry messages, and turn limits have their subtype', async () => {
  const retry = {
    type: 'system',
    subtype: 'api_retry',
    attempt: 2,
    max_retries: 10,
    retry_delay_ms: 500,
    error_status: 529,
    error: 'overloaded',
  };
  const end = {
    type: 'result',
    subtype: 'error_max_turns',
    is_error: true,
    errors: ['Reached the limit'],
    terminal_reason: 'max_turns',
  };
  const messages = await convertLines(claude, [retry, end], 1);
  expect(messages[1]).toMatchObject({
    subtype: 'api_retry',
    attempt: 2,
    max_retries: 10,
    retry_delay_ms: 500,
    error_status: 529,
  });
  expect(messages.at(-1)).toMatchObject({ subtype: 'error_max_turns', errors: ['Reached the limit'] });
  const amp = await convert(sampleNamed('amp-basic.jsonl'));
  const first = amp.find(({ type }) => type === 'assistant');
  expect(first).toMatchObject({ message: { usage: { input_tokens: 1210, output_tokens: 61 } } });
});

verifies('ADAPT-14', 'raw keeps the record of each message, and synthesised messages are marked', async () => {
  for (const sample of samples) {
    const messages = await convert(sample, { raw: true });
    const kept = new Set(messages.flatMap((message) => message['raw'] ?? []));
    expect(kept.size).toBe(sample.expected.lines - sample.expected.malformed);
  }

  // The run has no start, a result without a call, and no end.
  const broken = [
    { type: 'message', message: { role: 'user', content: [{ type: 'toolResponse', id: 'x', toolResult: {} }] } },
  ];
  const made = await convertLines(goose, broken, 143);
  expect(made.map(({ type, subtype, synthesised }) => [type, subtype, synthesised])).toEqual([
    ['system', 'init', true],
    ['assistant', undefined, true],
    ['user', undefined, undefined],
    ['result', 'error_during_execution', true],
  ]);
  expect(copilot.experimental).toBe(false);
});
