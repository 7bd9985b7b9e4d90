import { isObject } from '@proto/testkit/steps';

import { onceFor } from '../../once-for.ts';
import { member, type Message, type Session } from '../session-log.ts';
import { Spans } from './spans.ts';
import { answeredId, payloadOf, subtypeOf } from './timeline.ts';

/** A control request with the first answer to it. */
export interface Exchange {
  /** The object `request` of the request. */
  readonly request: Message;
  readonly subtype: unknown;
  /** The position of the request among the events. */
  readonly asked: number;
  readonly answer: Message;
  /** The position of the answer among the events. */
  readonly at: number;
  /** Undefined for an error. */
  readonly payload: unknown;
}

/** Requests whose id was used twice are left out. */
export const exchangesOf: (session: Session) => readonly Exchange[] = onceFor(({ sent, received }) =>
  pairs(sent, received),
);

/** The agent's requests that the suite has answered. */
export const askedExchangesOf: (session: Session) => readonly Exchange[] = onceFor(({ sent, received }) =>
  pairs(received, sent),
);

/** How long the requests of the host were open that change the mode. */
export const modeChangesOf: (session: Session) => Spans<Exchange> = onceFor((session) =>
  spansOf(exchangesOf(session).filter(({ subtype }) => subtype === 'set_permission_mode')),
);

/** Each exchange lasts from its request to its answer. */
export function spansOf(exchanges: readonly Exchange[]): Spans<Exchange> {
  return new Spans(exchanges.map((exchange) => ({ from: exchange.asked, until: exchange.at, item: exchange })));
}

function pairs(asking: Session['sent'], answering: Session['sent']): readonly Exchange[] {
  const requests = new Map<unknown, { readonly message: Message; readonly at: number } | undefined>();
  for (const placed of asking) {
    const id = placed.message['request_id'];
    if (subtypeOf(placed.message) !== undefined) requests.set(id, requests.has(id) ? undefined : placed);
  }
  return answering.flatMap(({ message, at }) => {
    const request = message['type'] === 'control_response' ? requests.get(answeredId(message)) : undefined;
    if (request === undefined || request.at > at) return [];
    requests.delete(answeredId(message));
    const content = member(request.message, 'request');
    if (!isObject(content)) return [];
    const subtype = content['subtype'];
    return [{ request: content, subtype, asked: request.at, answer: message, at, payload: payloadOf(message) }];
  });
}
