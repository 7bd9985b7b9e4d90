import type { ClientRequest, IncomingMessage } from 'node:http';

import { bindAs, describeMismatch, limitOf, match, nameIn, type Step, StepFailure } from '@proto/testkit/steps';

import type { StreamReading } from '../observed.ts';
import type { LinkParty } from '../parties/link-party.ts';
import { StreamParty } from '../parties/stream-party.ts';
import { openRequest } from '../send-request.ts';
import { pathOf, type ServerScope } from '../server-scope.ts';
import { postMessage } from './exchange.ts';
import type { Opening } from './opening.ts';

/** Returns no party if the step expects a status other than 200. */
export async function openStream(step: Step, opening: Opening, scope: ServerScope): Promise<LinkParty | undefined> {
  const { name, credential, session, isWorker, from = 0 } = opening;
  const request = requestOf(step, opening, scope);
  const reading: StreamReading = {
    kind: 'stream',
    party: name,
    session,
    isWorker,
    from,
    latest: latestCursor(request),
    opened: performance.now(),
    status: 0,
    headers: {},
    frames: [],
    hasCarriageReturns: false,
  };
  const party = new StreamParty({
    name,
    reading,
    request,
    now: scope.now,
    reportsComments: step['comments'] === true,
    send: (message) => postMessage(message, credential, session, scope),
  });
  const began = performance.now();
  const answer = await party.open(limitOf(step, scope));
  const status = answer.statusCode ?? 0;
  noteOpening(answer, { request, token: credential.token, began }, scope);
  bindAs(step, { status, headers: answer.headers }, scope);
  const result = match(step['status'] ?? 200, status, scope.variables);
  if (result.ok && status === 200) {
    scope.observed.readings.push(reading);
    return party;
  }
  party.close();
  if (result.ok) return undefined;
  throw new StepFailure(
    `The request for the event stream was answered with the status ${status}: ${describeMismatch(result.mismatch)}`,
    {
      expected: step['status'] ?? 200,
      got: status,
    },
  );
}

function noteOpening(
  { statusCode = 0, headers }: IncomingMessage,
  {
    request,
    token,
    began,
  }: { readonly request: ClientRequest; readonly token: string | undefined; readonly began: number },
  { observed }: ServerScope,
): void {
  const { method, path } = request;
  const ended = performance.now();
  observed.openings.push({
    method,
    path,
    token,
    sent: '',
    status: statusCode,
    headers,
    text: '',
    body: undefined,
    began,
    ended,
  });
}

/** The request for a stream, with its cursor in the header, in the query, or in both. */
function requestOf(step: Step, opening: Opening, scope: ServerScope): ClientRequest {
  const { base, credential, session, isWorker, from } = opening;
  const asked = step['cursor-in'] ?? (isWorker ? 'both' : 'header');
  const own = isWorker && from !== undefined && asked !== 'header' ? `from_sequence_num=${from}` : undefined;
  const query = nameIn(step, 'query') === undefined ? own : scope.variables.fillText(step['query']);
  const path = pathOf(isWorker ? 'S/worker/events/stream' : 'S/events/stream', session, scope);
  return openRequest({
    base,
    method: 'GET',
    path: query === undefined ? path : `${path}?${query}`,
    token: credential.token,
    headers: {
      accept: 'text/event-stream',
      host: new URL(scope.base).host,
      ...(from !== undefined && asked !== 'query' && { 'last-event-id': String(from) }),
      ...(scope.variables.fill(step['headers'] ?? {}) as Readonly<Record<string, string>>),
    },
    body: undefined,
    signal: scope.signal,
  });
}

/** A cursor is a number, optionally followed by the name of its log. */
function latestCursor(request: ClientRequest): number {
  const inQuery = new URLSearchParams(request.path.split('?')[1]).get('from_sequence_num');
  return Math.max(
    ...[request.getHeader('last-event-id'), inQuery].map((cursor) => Number.parseInt(String(cursor ?? 0), 10)),
  );
}
