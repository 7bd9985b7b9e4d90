import { cutText } from '@proto/core/framing';
import { isObject } from '@proto/testkit/steps';

import { byKeys } from '../../../by-keys.ts';
import type { Exchange } from '../../observed.ts';
import { MIN_LENGTH, tokensOf } from '../../redact.ts';
import type { Rule } from '../rule.ts';

/** Matches a value in a body that is long enough to be recognised in an error. */
const RECOGNISABLE = /"(?:content|text)":"([^"\\]{12,60})/;
const CONFLICTS = ['superseded_by_worker', 'epoch_stale', 'session_not_active'];

export const answerRules: readonly Rule[] = [
  eachError('body-of-errors', 'ERR-1', ({ body, headers }) => {
    const error = isObject(body) && body['type'] === 'error' ? body['error'] : undefined;
    return isObject(error) &&
      /\bjson\b/.test(headers['content-type'] ?? '') &&
      typeof error['type'] === 'string' &&
      typeof error['message'] === 'string'
      ? undefined
      : 'it does not have a JSON body with `error.type` and `error.message`';
  }),
  eachError('one-line', 'ERR-2', ({ body }) => {
    const message = isObject(body) && isObject(body['error']) ? body['error']['message'] : '';
    return /[\n\r]/.test(String(message)) ? 'its message contains several lines' : undefined;
  }),
  {
    name: 'no-credential',
    spec: 'ERR-3',
    *check(observed) {
      const tokens = byKeys([...tokensOf(observed)], (token) => [token.slice(0, MIN_LENGTH)]);
      for (const { status, method, path, text, headers } of observed.exchanges)
        if (status >= 400 && containsOneOf(tokens, text + JSON.stringify(headers)))
          yield `The answer to ${method} ${path} with the status ${status} contains a credential of this session.`;
    },
  },
  eachError('no-echo', 'ERR-4', ({ sent, text }) => {
    const said = RECOGNISABLE.exec(cutText(sent, 10_000))?.[1];
    return said !== undefined && text.includes(said) ? 'it contains the text of the message that was sent' : undefined;
  }),
  eachError('no-failure', 'ERR-8', ({ status }) =>
    status >= 500 ? 'its status means that the same request may succeed later' : undefined,
  ),
  eachError('reason-of-conflicts', 'WRK-9', ({ status, path, headers, body }) => {
    if (status !== 409 || !/\/worker(\/|\?|$)/.test(path)) return undefined;
    const inBody = isObject(body) && isObject(body['error']) ? body['error']['reason'] : undefined;
    const inHeader = headers['x-ccr-conflict-reason'];
    return inBody === inHeader && CONFLICTS.includes(String(inHeader))
      ? undefined
      : `the header contains the reason ${String(inHeader)}, but the body contains the reason ${String(inBody)}`;
  }),
  {
    name: 'rising-epochs',
    spec: 'WRK-1',
    *check({ exchanges }) {
      const epochs = new Map<string, number>();
      for (const { path, status, body } of exchanges) {
        const [, session] = /([^/]+)\/(?:bridge|worker\/register)$/.exec(path) ?? [];
        const epoch = isObject(body) ? Number(body['worker_epoch']) : Number.NaN;
        if (session === undefined || status >= 300 || Number.isNaN(epoch)) continue;
        const earlier = epochs.get(session) ?? -Infinity;
        if (epoch <= earlier) yield `The server gave the epoch ${epoch} after the epoch ${earlier}.`;
        epochs.set(session, epoch);
      }
    },
  },
];

/** Whether a text contains a token. The tokens are given by their first characters, because a case can have many of them. */
function containsOneOf(tokens: ReadonlyMap<string, readonly string[]>, text: string): boolean {
  for (let at = 0; at + MIN_LENGTH <= text.length; at += 1)
    if (tokens.get(text.slice(at, at + MIN_LENGTH))?.some((token) => text.startsWith(token, at)) === true) return true;
  return false;
}

function eachError(name: string, spec: string, problem: (exchange: Exchange) => string | undefined): Rule {
  return {
    name,
    spec,
    *check({ exchanges }) {
      for (const exchange of exchanges) {
        const found = exchange.status >= 400 ? problem(exchange) : undefined;
        if (found !== undefined)
          yield `The answer to ${exchange.method} ${exchange.path} with the status ${exchange.status} is wrong: ${found}.`;
      }
    },
  };
}
