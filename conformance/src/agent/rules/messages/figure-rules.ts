import { isObject, shortJson } from '@proto/testkit/steps';

import { member, type Message, type Session } from '../../session-log.ts';
import { blocksOfType, isMain } from './message-rules.ts';
import { type Broken, firstOf, type Rule } from '../rule.ts';

export const figureRules: readonly Rule[] = [
  { name: 'result/usage-of-the-turn', spec: 'MSG-42', check: usageOfOtherTurns },
  { name: 'result/usage-of-all-replies', spec: 'MSG-49', check: usageOfFewerReplies },
  { name: 'result/costs-of-models', spec: 'MSG-43', check: otherSums },
  { name: 'result/error-of-the-api', spec: 'MSG-44', check: errorsWithoutCause },
  { name: 'result/stop-reason', spec: 'MSG-45', check: otherStopReasons },
  { name: 'result/reason-of-a-text', spec: 'MSG-45', check: reasonsOfNoText },
  { name: 'result/rounds', spec: 'MSG-32', check: roundsOfOtherTurns },
];

const TOKENS = [
  ['input_tokens', 'inputTokens'],
  ['output_tokens', 'outputTokens'],
] as const;

function usageOfOtherTurns({ received }: Session): Broken | undefined {
  let before: unknown = {};
  let replies = new Map<unknown, Message>();
  return firstOf(received, ({ message }) => {
    const { type, usage, modelUsage } = message;
    if (type === 'conversation_reset') before = {};
    if (type === 'assistant') replies.set(member(message, 'message', 'id'), message);
    if (type !== 'result') return undefined;
    const wrong = TOKENS.find(([name, nameOfModels]) => {
      const used = sumOf(modelUsage, nameOfModels) - sumOf(before, nameOfModels);
      const most = Math.max(used, usedBy(replies.values(), name));
      return most > 0 && number(member(usage, name)) > most;
    });
    before = modelUsage;
    replies = new Map();
    return (
      wrong && {
        message: `usage contains more ${wrong[0]} than the turn used, so it also counts other turns.`,
        got: message,
      }
    );
  });
}

function usageOfFewerReplies({ received }: Session): Broken | undefined {
  let replies = new Map<unknown, Message>();
  return firstOf(received, ({ message }) => {
    const { type, subtype, is_error: isError, usage } = message;
    if (type === 'assistant' && isMain(message)) replies.set(member(message, 'message', 'id'), message);
    if (type !== 'result') return undefined;
    const ofTurn = [...replies.values()];
    replies = new Map();
    const hasEndedByItself = subtype === 'success' && isError === false;
    if (!hasEndedByItself || !isObject(usage)) return undefined;
    const wrong = TOKENS.find(([name]) => number(usage[name]) < usedBy(ofTurn, name));
    return (
      wrong && {
        message: `usage contains fewer ${wrong[0]} than the replies of the turn, so it does not count all of them.`,
        got: message,
      }
    );
  });
}

/** The tokens of a kind that replies report. */
function usedBy(replies: Iterable<Message>, name: string): number {
  return [...replies].reduce((sum, reply) => sum + number(member(reply, 'message', 'usage', name)), 0);
}

function otherSums({ received }: Session): Broken | undefined {
  return firstOf(received, ({ message }) => {
    const { type, modelUsage, total_cost_usd: total } = message;
    if (type !== 'result' || typeof total !== 'number' || !isObject(modelUsage)) return undefined;
    const costs = Object.values(modelUsage).map((figures) => member(figures, 'costUSD'));
    if (costs.length === 0 || !costs.every((cost) => typeof cost === 'number')) return undefined;
    const sum = sumOf(modelUsage, 'costUSD');
    return Math.abs(sum - total) < 1e-6
      ? undefined
      : { message: `total_cost_usd is ${total}, but the costs of all models add up to ${sum}.`, got: message };
  });
}

function errorsWithoutCause({ received }: Session): Broken | undefined {
  let hasFailed = false;
  return firstOf(received, ({ message }) => {
    if (message['type'] === 'assistant') hasFailed ||= message['error'] !== undefined;
    if (message['type'] !== 'result') return undefined;
    const isWrong = message['subtype'] === 'success' && message['is_error'] === true && !hasFailed;
    hasFailed = false;
    return isWrong
      ? {
          message:
            'A result with the subtype "success" has is_error: true, but no call to the model API failed during its turn.',
          got: message,
        }
      : undefined;
  });
}

function otherStopReasons({ received }: Session): Broken | undefined {
  let reason: unknown;
  return firstOf(received, ({ message }) => {
    const { type, event, subtype, is_error: isError, terminal_reason: end = 'completed' } = message;
    if (type === 'stream_event' && isMain(message) && member(event, 'type') === 'message_delta')
      reason = member(event, 'delta', 'stop_reason') ?? reason;
    if (type !== 'result') return undefined;
    const streamed = reason;
    reason = undefined;
    const isOrdinary = subtype === 'success' && isError === false && end === 'completed';
    return !isOrdinary || streamed === undefined || message['stop_reason'] === streamed
      ? undefined
      : {
          message: `The last reply has the stop_reason ${shortJson(streamed)}, but the result has a different one.`,
          got: message,
        };
  });
}

function reasonsOfNoText({ received }: Session): Broken | undefined {
  let last: Message | undefined;
  return firstOf(received, ({ message }) => {
    if (message['type'] === 'assistant' && isMain(message)) last = message;
    if (message['subtype'] === 'init') last = undefined;
    if (message['type'] !== 'result') return undefined;
    const { subtype, is_error: isError, terminal_reason: end = 'completed', stop_reason: reason } = message;
    const isText = last !== undefined && last['error'] === undefined && blocksOfType(last, 'text').length > 0;
    const isOwn = member(last, 'message', 'model') === '<synthetic>' || message['local_command'] !== undefined;
    last = undefined;
    const isOrdinary = subtype === 'success' && isError === false && end === 'completed' && isText && !isOwn;
    return isOrdinary && (typeof reason !== 'string' || reason === 'tool_use' || reason === 'pause_turn')
      ? { message: `The turn ended with a text, but its stop_reason is ${shortJson(reason)}.`, got: message }
      : undefined;
  });
}

/** A turn can have one round for each reply and each call result, and one more. */
function roundsOfOtherTurns({ received }: Session): Broken | undefined {
  let replies = new Set<unknown>();
  let results = 0;
  return firstOf(received, ({ message }) => {
    if (message['type'] === 'assistant') replies.add(member(message, 'message', 'id'));
    results += blocksOfType(message, 'tool_result').length;
    if (message['type'] !== 'result') return undefined;
    const most = replies.size + results + 1;
    [replies, results] = [new Set(), 0];
    const isOwn = message['local_command'] !== undefined || message['structured_output'] !== undefined;
    return !isOwn && message['is_error'] === false && number(message['num_turns']) > most
      ? {
          message: `num_turns is ${number(message['num_turns'])}, but the turn had at most ${most} rounds.`,
          got: message,
        }
      : undefined;
  });
}

function sumOf(usage: unknown, name: string): number {
  return Object.values(isObject(usage) ? usage : {}).reduce<number>(
    (sum, figures) => sum + number(member(figures, name)),
    0,
  );
}

function number(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}
