import { expect, test } from 'vitest';
import { INITIAL_USAGE, trackUsage } from './usage.ts';

const result = (total_cost_usd: unknown, members: object = {}) => ({ type: 'result', total_cost_usd, ...members });
const model = (inputTokens: number) => ({ opus: { inputTokens } });

test('the cost of a session is the cost in its last result, and the cost of a turn is the difference', () => {
  const states = [
    result(0.5, { modelUsage: model(5), usage: { input_tokens: 5 } }),
    result(0.75, { modelUsage: model(9), usage: { input_tokens: 4 } }),
  ].map((_, index, all) => all.slice(0, index + 1).reduce(trackUsage, INITIAL_USAGE));
  expect(states).toMatchObject([
    { totalCostUsd: 0.5, modelUsage: model(5), turn: { costUsd: 0.5, usage: { input_tokens: 5 } } },
    { totalCostUsd: 0.75, modelUsage: model(9), turn: { costUsd: 0.25, usage: { input_tokens: 4 } } },
  ]);
});

test('a result of zeros does not reduce the cost', () => {
  const state = [result(0.5, { modelUsage: model(5) }), result(0, { modelUsage: {} }), result(0.75)].reduce(
    trackUsage,
    INITIAL_USAGE,
  );
  expect(state).toMatchObject({ totalCostUsd: 0.75, turn: { costUsd: 0.25 }, modelUsage: model(5) });
});

test('a new conversation counts from zero, and the total cost of the session still grows', () => {
  const state = [result(0.5, { modelUsage: model(5) }), { type: 'conversation_reset' }, result(0.25)].reduce(
    trackUsage,
    INITIAL_USAGE,
  );
  expect(state).toMatchObject({ totalCostUsd: 0.75, turn: { costUsd: 0.25 }, modelUsage: {} });
});

test('other messages and invalid figures change nothing', () => {
  const state = trackUsage(INITIAL_USAGE, result(0.5));
  expect(trackUsage(state, { type: 'assistant' })).toBe(state);
  expect(trackUsage(state, result('much', { usage: 'all' }))).toMatchObject({ totalCostUsd: 0.5, turn: { usage: {} } });
});
