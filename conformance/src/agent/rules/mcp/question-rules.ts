import { isDeepStrictEqual } from 'node:util';

import { shortJson } from '@proto/testkit/steps';

import { member, type Message, type Session } from '../../session-log.ts';
import { askedExchangesOf, type Exchange, exchangesOf } from '../exchanges.ts';
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
function questionsOf(session: Session): readonly Question[] {
  const asked = session.sent.flatMap(({ message, at }) => {
    const rpc = member(message, 'request', 'message');
    const isQuestion = subtypeOf(message) === 'mcp_message' && member(rpc, 'method') === 'elicitation/create';
    return isQuestion ? [{ rpc, server: member(message, 'request', 'server_name'), at }] : [];
  });
  return askedExchangesOf(session).flatMap((exchange) => {
    const { subtype, request } = exchange;
    const one = asked.find(
      ({ rpc, server, at }) =>
        at < exchange.asked &&
        server === request['mcp_server_name'] &&
        member(rpc, 'params', 'message') === request['message'],
    );
    if (subtype !== 'elicitation' || one === undefined) return [];
    const { server } = one;
    const id = member(one.rpc, 'id');
    const reply = session.received.find(({ message, at }) => {
      const rpc = member(message, 'request', 'message');
      const isReply = subtypeOf(message) === 'mcp_message' && member(rpc, 'method') === undefined;
      return at > one.at && isReply && member(rpc, 'id') === id && member(message, 'request', 'server_name') === server;
    });
    return [{ server, id, exchange, reply: reply?.message }];
  });
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
