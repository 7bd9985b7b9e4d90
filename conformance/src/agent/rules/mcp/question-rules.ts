import { isDeepStrictEqual } from 'node:util';

import { shortJson } from '@proto/testkit/steps';

import { onceFor } from '../../../once-for.ts';
import { member, type Message, type Placed, type Session } from '../../session-log.ts';
import { askedExchangesOf, type Exchange, exchangesOf } from '../exchanges.ts';
import { byKeys } from '../../../by-keys.ts';
import { type Broken, firstOf, type Rule } from '../rule.ts';
import { subtypeOf } from '../timeline.ts';

/** Rules about the questions that MCP servers of the host ask the user. */
export const questionRules: readonly Rule[] = [
  { name: 'elicitation/answer-of-the-user', spec: 'MCP-24', check: otherAnswers },
  { name: 'elicitation/answered', spec: 'MCP-24', check: lostAnswers },
  { name: 'elicitation/no-approval', spec: 'MCP-31', check: approvalsByItself },
];

interface Question {
  readonly server: unknown;
  readonly id: unknown;
  /** The agent's request to the host, with the answer. */
  readonly exchange: Exchange;
  /** The first message of the agent that answers the server. */
  readonly reply: Message | undefined;
}

/** The questions of servers that the agent has forwarded, and that the host has answered. */
const questionsOf: (session: Session) => readonly Question[] = onceFor((session) => {
  const asked = firstQuestionsOf(session);
  const replies = byKeys(
    session.received.filter(
      ({ message }) => subtypeOf(message) === 'mcp_message' && member(rpcOf(message), 'method') === undefined,
    ),
    ({ message }) => [member(rpcOf(message), 'id')],
  );
  return askedExchangesOf(session).flatMap((exchange) => {
    const { subtype, request } = exchange;
    const server = request['mcp_server_name'];
    const one = asked.get(server)?.get(request['message']);
    if (subtype !== 'elicitation' || one === undefined || one.at >= exchange.asked) return [];
    const id = member(rpcOf(one.message), 'id');
    const reply = replies.get(id)?.find(({ message, at }) => at > one.at && serverOf(message) === server);
    return [{ server, id, exchange, reply: reply?.message }];
  });
});

/** The first question of each server with each text. */
function firstQuestionsOf({ sent }: Session): ReadonlyMap<unknown, ReadonlyMap<unknown, Placed>> {
  const questions = new Map<unknown, Map<unknown, Placed>>();
  for (const placed of sent) {
    const rpc = rpcOf(placed.message);
    if (subtypeOf(placed.message) !== 'mcp_message' || member(rpc, 'method') !== 'elicitation/create') continue;
    const own = questions.get(serverOf(placed.message)) ?? new Map<unknown, Placed>();
    questions.set(serverOf(placed.message), own);
    const text = member(rpc, 'params', 'message');
    if (!own.has(text)) own.set(text, placed);
  }
  return questions;
}

function rpcOf(message: Message): unknown {
  return member(message, 'request', 'message');
}

function serverOf(message: Message): unknown {
  return member(message, 'request', 'server_name');
}

function answerIn(message: Message | undefined) {
  const result = member(message, 'request', 'message', 'result');
  return { action: member(result, 'action'), content: member(result, 'content') };
}

function otherAnswers(session: Session): Broken | undefined {
  return firstOf(questionsOf(session), ({ server, exchange: { payload }, reply }) => {
    const given = { action: member(payload, 'action'), content: member(payload, 'content') };
    const isOther = payload !== undefined && reply !== undefined && !isDeepStrictEqual(answerIn(reply), given);
    return isOther
      ? {
          message: `The user answered a question of the server ${String(server)} with ${shortJson(given)}.`,
          got: reply,
        }
      : undefined;
  });
}

function lostAnswers(session: Session): Broken | undefined {
  const exchanges = exchangesOf(session);
  return firstOf(questionsOf(session), ({ server, exchange: { payload, at }, reply }) => {
    const isOver = exchanges.some(({ asked, subtype }) => asked > at && subtype === 'mcp_status');
    return payload !== undefined && reply === undefined && isOver
      ? { message: `The server ${String(server)} did not get the user's answer ${shortJson(payload)} to its question.` }
      : undefined;
  });
}

function approvalsByItself(session: Session): Broken | undefined {
  return firstOf(questionsOf(session), ({ server, exchange: { payload }, reply }) =>
    payload === undefined && answerIn(reply).action === 'accept'
      ? { message: `The host could not ask the user, but the server ${String(server)} got an approval.`, got: reply }
      : undefined,
  );
}
