import { describe, expect, test } from 'vitest';
import { hosted } from './host.test-support.ts';

describe('a host asks the reference agent', () => {
  test('what fills the window, and what was spent, by turns', async () => {
    const { session, turn, rest } = hosted();
    expect(await session.request({ subtype: 'get_context_usage' })).toMatchObject({
      model: 'reference',
      totalTokens: 0,
      percentage: 0,
      apiUsage: null,
    });
    const result: Readonly<Record<string, unknown>> = (await turn('/big 100000')).at(-1) ?? {};
    const usage = await session.request<Record<string, unknown>>({ subtype: 'get_context_usage' });
    const { input_tokens = 0, output_tokens = 0 } = result['usage'] as Record<string, number>;
    const totalTokens = input_tokens + output_tokens;
    expect(usage).toMatchObject({ totalTokens, maxTokens: 200_000, percentage: 13, isAutoCompactEnabled: false });
    const categories = usage['categories'] as readonly { readonly tokens: number }[];
    expect(categories.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(200_000);
    const squares = (usage['gridRows'] as readonly (readonly { readonly categoryName: string }[])[]).flat();
    expect(squares.filter(({ categoryName }) => categoryName === 'Messages')).toHaveLength(13);
    expect(squares).toHaveLength(100);
    const cost = result['total_cost_usd'];
    expect(await session.request({ subtype: 'get_usage' })).toMatchObject({
      session: { total_cost_usd: cost, model_usage: { reference: { costUSD: cost } } },
      rate_limits_available: false,
      rate_limits: null,
    });
    expect(await session.request({ subtype: 'get_session_cost' })).toEqual({
      text: `Total cost: $${(cost as number).toFixed(4)}`,
    });
    await rest();
  });

  test('for a file: what it holds, no more than is wanted, and only what may be read without a question', async () => {
    const { session, turn, rest } = hosted({
      cwd: '/work',
      permissionMode: 'acceptEdits',
      disallowedTools: ['Read(b.txt)'],
    });
    await turn('/write a.txt hello\n/write b.txt secret');
    const read = (path: unknown, members: object = {}) =>
      session.request<unknown>({ subtype: 'read_file', path, ...members });
    expect(await read('a.txt')).toEqual({ contents: 'hello', absPath: '/work/a.txt' });
    expect(await read('a.txt', { max_bytes: 2 })).toEqual({ contents: 'he', absPath: '/work/a.txt', truncated: true });
    await expect(read('b.txt')).rejects.toThrow('read denied');
    await expect(read('/etc/a.txt')).rejects.toThrow('read denied');
    await expect(read('missing')).rejects.toThrow('does not exist');
    await expect(read(7)).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(read('a.txt', { encoding: 'base64' })).rejects.toThrow('read denied');
    await rest();
  });

  test('for a reply to a prompt without a word', async () => {
    const { turn, rest } = hosted();
    expect((await turn('')).at(-1)).toMatchObject({ subtype: 'success', num_turns: 1, result: 'You said nothing.' });
    await rest();
  });
});
