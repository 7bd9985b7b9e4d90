import { verifies } from '@proto/test-support/verifies';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { Direction } from './find-kind.ts';
import { parseMessage } from './parse-message.ts';
import { recordings } from './recordings.test-support.ts';

const fromAgent = { direction: 'from-agent' } as const;
const strict = { direction: 'from-agent', mode: 'strict' } as const;
const ids = { uuid: 'b2b1a1f4-5d57-4c39-9d6c-6a3f0f6c8f11', session_id: 's' };

const assistant = (content: readonly unknown[], more: object = {}) => ({
  type: 'assistant',
  message: {
    id: 'm',
    type: 'message',
    role: 'assistant',
    model: 'x',
    content,
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 1 },
  },
  parent_tool_use_id: null,
  ...ids,
  ...more,
});
const event = (body: unknown) => ({ type: 'stream_event', event: body, parent_tool_use_id: null, ...ids });

describe('parseMessage with unknown input', () => {
  verifies('PARSE-1', 'returns a message of an unknown type or subtype unchanged, under its name', () => {
    const unknown = [
      [{ type: 'hologram', shape: { deep: [1] } }, 'hologram'],
      [{ type: 'hologram', subtype: 'blue' }, 'hologram/blue'],
      [{ type: 'system', subtype: 'weather', ...ids }, 'system/weather'],
      [{ type: 'result', subtype: 'error_new', is_error: true }, 'result/error_new'],
      [{ type: 'control_request', request_id: '1', request: { subtype: 'dance' } }, 'control_request/dance'],
      [{ type: '__proto__' }, '__proto__'],
      [{ type: 'constructor', subtype: 'toString' }, 'constructor/toString'],
    ] as const;
    for (const [value, name] of unknown) {
      const parsed = parseMessage(value, strict);
      expect(parsed).toEqual({ kind: 'unknown', name, message: value });
      expect(parsed.kind === 'unknown' && parsed.message).toBe(value);
    }
  });

  verifies('PARSE-1', 'accepts unknown blocks, events, deltas, origins, values and members', () => {
    const messages = [
      assistant(
        [
          { type: 'hologram', text: 5 },
          { type: 'text', text: 'a', mood: 'glad' },
        ],
        { error: 'bad_mood' },
      ),
      event({ type: 'content_block_painted', index: 'none' }),
      event({ type: 'content_block_delta', index: 0, delta: { type: 'colour_delta', colour: 3 } }),
      {
        type: 'user',
        message: { role: 'user', content: 'a' },
        parent_tool_use_id: null,
        origin: { kind: 'moon', from: 1 },
      },
    ];
    for (const message of messages) {
      const parsed = parseMessage(message, strict);
      expect(parsed).toMatchObject({ kind: 'known', dropped: [] });
      expect(parsed.kind === 'known' && parsed.message).toBe(message);
    }
  });

  test('returns a request of the other direction as unknown', () => {
    const request = { type: 'control_request', request_id: '1', request: { subtype: 'set_model', model: 'x' } };
    expect(parseMessage(request, { direction: 'from-host' })).toMatchObject({ kind: 'known' });
    expect(parseMessage(request, fromAgent)).toMatchObject({ kind: 'unknown', name: 'control_request/set_model' });
  });
});

describe('parseMessage with invalid input', () => {
  test('refuses every message for an unknown direction', () => {
    for (const direction of ['host', 'toString', '__proto__', undefined, null, 5]) {
      expect(parseMessage({ type: 'keep_alive' }, { direction: direction as never })).toMatchObject({
        kind: 'invalid',
        issues: [{ path: [], message: /from-agent.*from-host/ }],
      });
    }
    expect(parseMessage({ type: 'keep_alive' }, undefined as never)).toMatchObject({ kind: 'invalid' });
  });

  test('accepts a prompt without parent_tool_use_id, which published hosts omit, but not with a wrong value', () => {
    const prompt = { type: 'user', message: { role: 'user', content: 'go' }, session_id: 'default' };
    expect(parseMessage(prompt, { direction: 'from-host', mode: 'strict' })).toMatchObject({
      kind: 'known',
      message: prompt,
    });
    expect(
      parseMessage({ ...prompt, parent_tool_use_id: 5 }, { direction: 'from-host', mode: 'strict' }),
    ).toMatchObject({
      kind: 'invalid',
    });
  });

  test('refuses a value that is not a message', () => {
    for (const value of [null, undefined, 5, 'text', true, [], [{ type: 'user' }]]) {
      expect(parseMessage(value, fromAgent)).toEqual({
        kind: 'invalid',
        value,
        issues: [{ path: [], message: 'expected object' }],
      });
    }
    for (const value of [{}, { type: 5 }, { type: null }]) {
      expect(parseMessage(value, fromAgent)).toMatchObject({ kind: 'invalid', issues: [{ path: ['type'] }] });
    }
  });

  test('refuses a message without the subtype that its type requires', () => {
    for (const value of [
      { type: 'system', ...ids },
      { type: 'result', subtype: 5 },
    ]) {
      expect(parseMessage(value, fromAgent)).toMatchObject({ kind: 'invalid', issues: [{ path: ['subtype'] }] });
    }
  });

  test.each([
    [assistant([{ type: 'text', text: 5 }]), ['message', 'content', 0, 'text'], 'expected string'],
    [assistant([{ text: 'a' }]), ['message', 'content', 0, 'type'], 'expected string'],
    [assistant([{ type: 'tool_use', id: 't', name: 'n' }]), ['message', 'content', 0, 'input'], 'expected a value'],
    [
      event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta' } }),
      ['event', 'delta', 'text'],
      'expected string',
    ],
    [
      { type: 'user', message: { role: 'user', content: [{ type: 'text' }] }, parent_tool_use_id: null },
      ['message', 'content', 0, 'text'],
      'expected string',
    ],
    [
      { type: 'user', message: { role: 'user', content: 5 }, parent_tool_use_id: null },
      ['message', 'content'],
      'expected string or array',
    ],
    [
      { type: 'user', message: { role: 'moon', content: '' }, parent_tool_use_id: null },
      ['message', 'role'],
      'expected "user"',
    ],
    [{ type: 'control_request', request_id: '1', request: {} }, ['request', 'subtype'], 'expected string'],
    [{ type: 'control_request', request: { subtype: 'dance' } }, ['request_id'], 'expected string'],
    [
      { type: 'control_request', request_id: '1', request: { subtype: 'can_use_tool', input: {}, tool_use_id: 't' } },
      ['request', 'tool_name'],
      'expected string',
    ],
  ])('reports the path of the issue: %j', (value, path, message) => {
    expect(parseMessage(value, strict)).toEqual({ kind: 'invalid', value, issues: [{ path, message }] });
  });

  test('reports issues that contain nothing of the message', () => {
    const secret = 'do-not-log-me';
    const values = [
      assistant([{ type: 'text', text: { secret } }], { uuid: [secret], parent_tool_use_id: { secret } }),
      { type: 'user', message: { role: secret, content: { secret } }, parent_tool_use_id: null },
    ];
    for (const value of values) {
      const parsed = parseMessage(value, strict);
      expect(parsed).toMatchObject({ kind: 'invalid' });
      expect(parsed.kind === 'invalid' && JSON.stringify(parsed.issues)).not.toContain(secret);
    }
  });
});

describe('an invalid optional member', () => {
  const message = assistant([{ type: 'text', text: 'a' }], { timestamp: 5, request_id: 'r', later: 1, agent_id: [] });

  verifies('PARSE-3', 'is omitted from a copy that keeps all else in order, and the original stays unchanged', () => {
    const before = JSON.stringify(message);
    const parsed = parseMessage(message, fromAgent);
    const { timestamp: _, agent_id: __, ...rest } = message as Record<string, unknown>;
    expect(parsed).toEqual({
      kind: 'known',
      name: 'assistant',
      message: rest,
      dropped: [
        { path: ['agent_id'], message: 'expected string' },
        { path: ['timestamp'], message: 'expected string' },
      ],
    });
    expect(parsed.kind === 'known' && JSON.stringify(parsed.message)).toBe(JSON.stringify(rest));
    expect(JSON.stringify(message)).toBe(before);
  });

  verifies('PARSE-3', 'makes the message invalid in strict mode', () => {
    expect(parseMessage(message, strict)).toMatchObject({
      kind: 'invalid',
      value: message,
      issues: [{ path: ['agent_id'] }, { path: ['timestamp'] }],
    });
  });

  verifies('PARSE-3', 'does not make a message valid that also has an invalid required member', () => {
    const value = { ...message, session_id: 5 };
    const parsed = parseMessage(value, fromAgent);
    expect(parsed).toMatchObject({ kind: 'invalid', value });
    expect(parsed.kind === 'invalid' && parsed.issues.map(({ path }) => path.join('.'))).toContain('session_id');
  });

  verifies(
    'PARSE-3',
    'is removed at its own level; an invalid required member takes its optional parent with it',
    () => {
      const agents = { one: { description: 'd', prompt: 'p' } };
      const request = { subtype: 'initialize', agents: { one: { ...agents.one, model: 5 } } };
      const initialize = { type: 'control_request', request_id: '1', request };
      expect(parseMessage(initialize, { direction: 'from-host' })).toMatchObject({
        message: { ...initialize, request: { subtype: 'initialize', agents } },
        dropped: [{ path: ['request', 'agents', 'one', 'model'] }],
      });
      const nested = assistant([{ type: 'text', text: 'a', citations: 'none' }], {
        context_usage: { model: 'x', total_tokens: 'many' },
      });
      expect(parseMessage(nested, fromAgent)).toMatchObject({
        kind: 'known',
        message: assistant([{ type: 'text', text: 'a' }]),
      });
    },
  );

  test.each([
    [
      { usage_report: { session: { total_cost_usd: 'much' }, rate_limits: null } },
      ['usage_report', 'session', 'total_cost_usd'],
    ],
    [{ context_usage: { categories: [{ name: 5, tokens: 'x' }] } }, ['context_usage', 'model']],
    [{ supersedes: [1, 2] }, ['supersedes', 0]],
  ])('%j is removed as a whole', (member, path) => {
    const parsed = parseMessage(assistant([], member), fromAgent);
    expect(parsed).toEqual({
      kind: 'known',
      name: 'assistant',
      message: assistant([]),
      dropped: [{ path, message: expect.any(String) }],
    });
  });

  test('is chosen so that no other member becomes invalid', () => {
    // Without its `type`, this server would count as a server that is started by a command.
    const request = { subtype: 'mcp_set_servers', servers: { good: { command: 'x' }, bad: { type: 5, url: 'x' } } };
    const parsed = parseMessage({ type: 'control_request', request_id: '1', request }, { direction: 'from-host' });
    expect(parsed).toMatchObject({
      kind: 'known',
      message: { request: { servers: { good: { command: 'x' } } } },
      dropped: [{ path: ['request', 'servers', 'bad', 'type'] }],
    });
    expect(parsed.kind === 'known' && parsed.dropped).toHaveLength(1);
  });

  test('is never taken out of an array, so that the message is invalid', () => {
    const blocks = assistant([{ type: 'text', text: 'a' }, { type: 'text' }]);
    expect(parseMessage(blocks, fromAgent)).toMatchObject({ kind: 'invalid' });
  });

  test('is omitted in any number, until the search costs too much', () => {
    const blocks = (count: number) => Array.from({ length: count }, () => ({ type: 'text', text: 'a', citations: 5 }));
    const parsed = parseMessage(assistant(blocks(50)), fromAgent);
    expect(parsed.kind === 'known' && parsed.dropped.length).toBe(50);
    // The message has as many blocks as fit into a megabyte. If the parser searched again for each block, this would take several seconds.
    let looked = 0;
    const content = blocks(20_000).map((block) =>
      Object.defineProperty(block, 'text', { get: () => (looked++, 'a'), enumerable: true }),
    );
    const refused = parseMessage(assistant(content), fromAgent);
    expect(refused.kind === 'invalid' && refused.issues.at(-1)).toMatchObject({ path: [], message: /^too large/ });
    expect(looked).toBeLessThan(400_000);
  });
});

describe('parseMessage with arbitrary input', () => {
  const direction = fc.constantFrom<Direction>('from-agent', 'from-host');
  const types = fc.constantFrom(
    'user',
    'assistant',
    'system',
    'result',
    'control_request',
    'control_response',
    'keep_alive',
  );

  test('never throws', () => {
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.dictionary(fc.string(), fc.jsonValue()),
        types,
        direction,
        (any, more, type, side) => {
          for (const value of [any, { ...more, type }]) {
            const parsed = parseMessage(value, { direction: side });
            expect(parsed.kind === 'invalid' ? parsed.value : parsed.message).toEqual(value);
          }
        },
      ),
    );
  });

  test('strict and lenient mode report the same issues for a recorded message with a changed member', () => {
    const lines = recordings.filter(({ text }) => text.startsWith('{"') && text.endsWith('}') && text.length < 4000);
    fc.assert(
      fc.property(fc.constantFrom(...lines), fc.nat(), fc.jsonValue(), ({ text, direction: side }, place, put) => {
        let value: unknown;
        try {
          value = JSON.parse(text);
        } catch {
          return;
        }
        tamper(value as Record<string, unknown>, place, put);
        const before = JSON.stringify(value);
        const lenient = parseMessage(value, { direction: side });
        const strictly = parseMessage(value, { direction: side, mode: 'strict' });
        if (strictly.kind !== 'invalid') expect(lenient).toEqual(strictly);
        else if (lenient.kind === 'invalid') expect(lenient).toEqual(strictly);
        else expect(lenient.kind === 'known' && lenient.dropped.length).toBeGreaterThan(0);
        expect(JSON.stringify(value)).toBe(before);
      }),
      { numRuns: 500 },
    );
  });
});

/** Puts a value at one of the places of the message. */
function tamper(message: Record<string, unknown>, place: number, put: unknown): void {
  const places: [Record<string, unknown>, string][] = [];
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const key of Object.keys(value)) {
      places.push([value as Record<string, unknown>, key]);
      walk((value as Record<string, unknown>)[key]);
    }
  };
  walk(message);
  const found = places[place % places.length];
  if (found !== undefined) found[0][found[1]] = put;
}
