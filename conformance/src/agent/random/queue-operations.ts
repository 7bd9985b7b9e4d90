import type { Step } from '@proto/testkit/steps';

import { ALLOW } from './host-answers.ts';
import type { Operation } from './host-messages.ts';
import { sending, type SessionWriter } from './session-writer.ts';

const BURSTS = [3, 10, 80, 300];
const LARGE_BURST = 1000;
const REQUESTS = [100, 1000, 5000];

/** Prompts that wait during an open question, and what a host does to the queue: interrupts in a row, or a prompt that is withdrawn and sent again. */
function waitingPrompts(session: SessionWriter): readonly Step[] {
  const waiting = session.prompt('text') as { readonly uuid?: unknown };
  const withdrawal = session.request('cancel_async_message', { message_uuid: waiting.uuid });
  const interrupts = [session.request('interrupt'), session.request('interrupt')];
  return [
    { serve: { can_use_tool: null } },
    { say: session.prompt('tool') },
    { await: { request: 'can_use_tool' }, within: 3000 },
    ...sending([waiting, session.prompt('text')], false),
    ...session.oneOf<readonly Step[]>([
      sending(interrupts, true),
      sending([withdrawal, waiting], session.isLucky(0.5)),
      sending([withdrawal, waiting, ...interrupts], true),
    ]),
    { serve: { can_use_tool: ALLOW } },
    { await: 'idle' },
  ];
}

/** Equal prompts without a uuid, all of which must run. */
function equalPrompts(session: SessionWriter): readonly Step[] {
  // Without an echo of each prompt, it is uncertain how many prompts a turn contains.
  if (!session.isReplayed) return [];
  const { uuid: _, ...prompt } = session.plainPrompt('text');
  return [
    { serve: { can_use_tool: null } },
    { say: session.prompt('tool') },
    { await: { request: 'can_use_tool' }, within: 3000 },
    ...sending(
      Array.from({ length: 2 + session.below(2) }, () => prompt),
      session.isLucky(0.5),
    ),
    { serve: { can_use_tool: ALLOW } },
    { await: 'idle' },
  ];
}

/** Requests in one write, all of which the agent answers. */
function manyRequests(session: SessionWriter): readonly Step[] {
  const request = session.oneOf([{ subtype: 'mcp_status' }, { subtype: 'conformance_no_such_request' }]);
  const count = session.oneOf(REQUESTS);
  const all = Array.from({ length: count }, () => ({
    type: 'control_request',
    request_id: session.newId(),
    request,
  }));
  return [{ 'say-all': all }];
}

export const QUEUE_OPERATIONS: readonly Operation<readonly Step[]>[] = [
  { weight: 0.5, of: manyRequests },
  {
    weight: 3,
    of: (session) =>
      sending(
        Array.from({ length: session.isLucky(0.04) ? LARGE_BURST : session.oneOf(BURSTS) }, () =>
          session.prompt('text'),
        ),
        session.isLucky(0.5),
      ),
  },
  { weight: 5, of: equalPrompts },
  { weight: 3, of: waitingPrompts },
];
