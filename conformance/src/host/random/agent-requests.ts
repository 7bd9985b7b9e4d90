import type { Step } from '@proto/testkit/steps';

import { oddText } from '../../random/odd-values.ts';
import { type AgentRequest, decision } from './questions.ts';
import type { SessionWriter } from './session-writer.ts';

const CONTROL_REQUEST = { type: 'control_request' };

/** Some ids are unusual. */
export function requestMessage(
  session: SessionWriter,
  request: object,
): { readonly request_id: string; readonly request: object } {
  const number = session.number();
  const id = session.isLucky(0.75)
    ? `ask-${number}`
    : session.oneOf([
        ` Spaces and CAPITALS ${number} `,
        `00${number}`,
        `${number}`,
        ...Array.from({ length: 3 }, () => oddText(session) + number),
        `${'long-'.repeat(300)}${number}`,
        `toString`,
        '',
      ]);
  const unused = session.requests.includes(id) ? `ask-${number}` : id;
  session.requests.push(unused);
  return session.isLucky(0.9)
    ? { ...CONTROL_REQUEST, request_id: unused, request }
    : { request, request_id: unused, ...CONTROL_REQUEST };
}

/** The user answers immediately, later, or never. */
export function question(session: SessionWriter, asked: AgentRequest): readonly Step[] {
  const say = requestMessage(session, asked.request);
  const step = decision(session, asked);
  // A cancel of a request that does not exist has no effect on a later request.
  const early = { say: { type: 'control_cancel_request', request_id: say.request_id }, spec: 'CTL-27' };
  const asking = session.isLucky(0.06) ? [early, { say }] : [{ say }];
  if (step === undefined) return asking;
  if (session.isLucky(0.4)) return [step, ...asking];
  session.undecided.push({ id: say.request_id, step });
  const again = session.isLucky(0.1) ? [{ say }] : [];
  return [...asking, ...again];
}
