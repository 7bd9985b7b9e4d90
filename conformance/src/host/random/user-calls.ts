import type { Step } from '@proto/testkit/steps';

import { question, requestMessage } from './agent-requests.ts';
import { permission } from './questions.ts';
import { SERVED, type SessionWriter } from './session-writer.ts';

export const callModel = (session: SessionWriter) => {
  const number = session.number();
  return {
    call: { call: 'set_model', with: { model: `model-${number}` }, as: `call-${number}` },
    sent: {
      expect: { type: 'control_request', request: { subtype: 'set_model', model: `model-${number}` } },
      anywhere: true,
      as: `own-${number}`,
      spec: 'CTL-1',
    },
    name: `own-${number}`,
    number,
  };
};

/** From now on, the agent leaves requests of a kind unanswered. Waits until it has answered the earlier ones. */
function leaving(session: SessionWriter, subtype: string): readonly Step[] {
  return [...session.settle(), { serve: { [subtype]: null } }];
}

/** Calls of the user that are open at the same time. They are answered in a random order and in different ways, such as with an error or twice. */
export function crossingCalls(session: SessionWriter): readonly Step[] {
  const calls = Array.from({ length: 1 + session.below(4) }, () => callModel(session));
  const answers = session.shuffled(calls).flatMap(({ name, number }): Step[] => {
    const request_id = `\${${name}.request_id}`;
    const kind = session.below(10);
    if (kind < 4) return [{ answer: name, with: { model: `model-${number}` } }];
    if (kind < 6) return [{ answer: name, error: `model-${number} does not exist` }];
    if (kind < 7) return [{ say: { type: 'control_response', response: { subtype: 'success', request_id } } }];
    if (kind < 8)
      return [
        { answer: name, with: {} },
        { answer: name, error: 'too late' },
      ];
    // The agent uses the id of the host's request for its own request.
    if (kind < 9)
      return [
        { say: { type: 'control_request', request_id, request: { subtype: 'conformance_probe' } } },
        { answer: name },
      ];
    // A cancel from the agent concerns only the agent's own requests.
    if (session.isLucky(0.8)) return [{ say: { type: 'control_cancel_request', request_id } }, { answer: name }];
    return [...strayAnswer(session), { answer: name }];
  });
  return [
    ...leaving(session, 'set_model'),
    ...calls.map(({ call }) => call),
    ...calls.map(({ sent }) => sent),
    ...(session.isLucky(0.3) ? question(session, permission(session)) : []),
    ...answers,
    { serve: { set_model: SERVED.set_model } },
  ];
}

/** A call that the user withdraws, and that the agent answers anyway. */
export function withdrawnCall(session: SessionWriter): readonly Step[] {
  const { call, sent, name } = callModel(session);
  return [
    ...leaving(session, 'set_model'),
    call,
    sent,
    { withdraw: call.as },
    {
      expect: { type: 'control_cancel_request', request_id: { '$same-as': `${name}.request_id` } },
      anywhere: true,
      spec: 'CTL-26',
    },
    ...session.oneOf([[], [{ answer: name }], [{ answer: name, error: 'too late' }]]),
    { serve: { set_model: SERVED.set_model } },
  ];
}

/** A question that the user does not answer and that the agent withdraws. */
function cancelledQuestion(session: SessionWriter): readonly Step[] {
  const asked = requestMessage(session, permission(session).request);
  return [{ say: asked }, { say: { type: 'control_cancel_request', request_id: asked.request_id } }];
}

/** Calls of the user while the agent has not answered `initialize`. The agent answers them as soon as it receives them. */
export function earlyCalls(session: SessionWriter): readonly Step[] {
  return Array.from({ length: 1 + session.below(3) }, () => callModel(session).call);
}

/** An interrupt that the agent answers only after a question, or that the user withdraws. Another interrupt can follow. */
export function interruptHeld(session: SessionWriter): readonly Step[] {
  const as = `call-${session.number()}`;
  const name = `own-${session.number()}`;
  const isWithdrawn = session.features.has('withdraw') && session.isLucky(0.4);
  return [
    ...leaving(session, 'interrupt'),
    { call: 'interrupt', as },
    { expect: { type: 'control_request', request: { subtype: 'interrupt' } }, as: name, spec: 'INT-34' },
    ...(session.isLucky(0.5) ? [...question(session, permission(session)), ...session.settle()] : []),
    ...(session.isLucky(0.4) ? [...cancelledQuestion(session), ...session.settle()] : []),
    ...(isWithdrawn ? [{ withdraw: as }] : []),
    ...(isWithdrawn && session.isLucky(0.5) ? [] : [{ answer: name, with: { still_queued: [] } }]),
    { serve: { interrupt: SERVED.interrupt } },
  ];
}

export function strayAnswer(session: SessionWriter): readonly Step[] {
  const request_id = session.oneOf(['nobody-asked', 'toString', '', ...session.requests.slice(-1)]);
  const response = session.oneOf<object>([
    { subtype: 'success', request_id, response: {} },
    { subtype: 'error', request_id, error: 'nobody asked' },
  ]);
  return [{ say: { type: 'control_response', response }, spec: 'CTL-9' }];
}
