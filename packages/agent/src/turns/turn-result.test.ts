import { describe, expect, test } from 'vitest';
import { TurnResult } from './turn-result.ts';

describe('a result that the agent itself returns', () => {
  const own = {
    type: 'result',
    subtype: 'success',
    result: 'done',
    terminal_reason: 'completed',
    usage: { input_tokens: 3 },
    total_cost_usd: 0.5,
  };
  const withOwn = () => {
    const result = new TurnResult([]);
    result.take(own);
    return result;
  };

  test('keeps its usage and cost, however the turn ends', () => {
    expect(withOwn().interrupted('aborted_tools')).toMatchObject({
      subtype: 'error_during_execution',
      terminal_reason: 'aborted_tools',
      usage: { input_tokens: 3 },
      total_cost_usd: 0.5,
    });
    expect(withOwn().interrupted('aborted_tools')).not.toHaveProperty('result');
    expect(withOwn().failed(new Error('no'))).toMatchObject({ errors: ['no'], total_cost_usd: 0.5 });
  });

  test.each([
    ['finished', (result: TurnResult) => result.finished()],
    ['interrupted', (result: TurnResult) => result.interrupted('aborted_tools')],
  ])('adds its usage to that of the parts before it, when the turn is %s', (_, end) => {
    const result = withOwn();
    result.reopen();
    result.take({ type: 'result', usage: { input_tokens: 4, output_tokens: 2 }, num_turns: 2, total_cost_usd: 0.75 });
    result.reopen();
    expect(end(result)).toMatchObject({
      usage: { input_tokens: 7, output_tokens: 2 },
      num_turns: 2,
      total_cost_usd: 0.75,
    });
    result.take({ type: 'result', usage: { input_tokens: 1 }, num_turns: 1, total_cost_usd: 1 });
    expect(end(result)).toMatchObject({
      usage: { input_tokens: 8, output_tokens: 2 },
      num_turns: 3,
      total_cost_usd: 1,
    });
    expect(end(result)).not.toHaveProperty('result', 'done');
  });

  test('does not override the conclusion of the turn', () => {
    const result = withOwn();
    result.conclude({ terminal_reason: 'tool_deferred', deferred_tool_use: { id: 'T1' } });
    expect(result.finished()).toMatchObject({
      subtype: 'success',
      result: 'done',
      terminal_reason: 'tool_deferred',
      deferred_tool_use: { id: 'T1' },
    });
  });
});

test.each([
  ['aborted_streaming', { errors: ['The turn was interrupted by the user.'], stop_reason: null }],
  [
    'aborted_tools',
    { errors: ['The turn was interrupted by the user while a tool was in use.'], stop_reason: 'tool_use' },
  ],
])('a turn that ends as %s has one line with the reason', (terminal_reason, members) => {
  const result = new TurnResult([]).interrupted(terminal_reason);
  expect(result).toMatchObject({ subtype: 'error_during_execution', is_error: true, terminal_reason, ...members });
});
