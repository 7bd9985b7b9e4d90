import { describeMismatch } from '../../match/mismatch.ts';
import { match } from '../../match/match.ts';
import { bindAs, limitOf, nameIn, type Step } from '../../steps/step.ts';
import { StepFailure } from '../../steps/step-failure.ts';
import type { StreamReading } from '../observed.ts';
import type { LinkParty } from '../parties/link-party.ts';
import { StreamParty } from '../parties/stream-party.ts';
import { openRequest } from '../send-request.ts';
import { pathOf, type ServerScope } from '../server-scope.ts';
import { postMessage } from './exchange.ts';
import type { Opening } from './opening.ts';

/** Opens an event stream. Returns no party if the step expects another status than 200. */
export async function openStream(step: Step, opening: Opening, scope: ServerScope): Promise<LinkParty | undefined> {
  const { name, credential, session, isWorker, from } = opening;
  const reading: StreamReading = {
    kind: 'stream',
    party: name,
    session,
    isWorker,
    from: from ?? 0,
    status: 0,
    headers: {},
    frames: [],
    hasCarriageReturns: false,
  };
  // Frames are checked against the cursor that the server has to use.
  const asked = step['cursor-in'] ?? (isWorker ? 'both' : 'header');
  const query = isWorker && from !== undefined && asked !== 'header' ? `?from_sequence_num=${from}` : '';
  const path = pathOf(isWorker ? 'S/worker/events/stream' : 'S/events/stream', session, scope);
  const request = openRequest({
    base: opening.base,
    method: 'GET',
    path: nameIn(step, 'query') === undefined ? path + query : `${path}?${scope.variables.fillText(step['query'])}`,
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
  const party = new StreamParty({
    name,
    reading,
    request,
    now: scope.now,
    hearsComments: step['comments'] === true,
    send: (message) => postMessage(message, credential, session, scope),
  });
  const answer = await party.open(limitOf(step, scope));
  const status = answer.statusCode ?? 0;
  bindAs(step, { status, headers: answer.headers }, scope);
  const result = match(step['status'] ?? 200, status, scope.variables);
  if (!result.ok) {
    party.close();
    throw new StepFailure(`The event stream was answered with ${status}, where ${describeMismatch(result.mismatch)}`, {
      expected: step['status'] ?? 200,
      got: status,
    });
  }
  if (status !== 200) {
    party.close();
    return undefined;
  }
  scope.observed.readings.push(reading);
  return party;
}
