import { sendRequest } from '../server/send-request.ts';
import { type FuzzSession, newSession, type Lease } from '../server/session.ts';
import type { FuzzServer } from '../server/start-server.ts';

/** The sender. A stranger has an unknown token; a superseded worker has a token that had the lease before. */
export const SENDERS = ['nobody', 'stranger', 'viewer', 'approver', 'driver', 'worker', 'superseded worker'] as const;
export type Sender = (typeof SENDERS)[number];

/** A session that is ready for a measurement. */
export interface Stage {
  readonly session: FuzzSession;
  readonly lease: Lease;
  /** Returns the token of a sender. */
  token(sender: Sender): string | undefined;
}

/** Creates a session with a worker that has sent the permission request `open`. */
export async function setStage(server: FuzzServer): Promise<Stage> {
  const session = await newSession(server);
  const superseded = await session.claimLease();
  const lease = await session.claimLease();
  const request = { subtype: 'can_use_tool', tool_name: 'Bash', input: {}, tool_use_id: 'toolu_1' };
  const payload = { type: 'control_request', request_id: 'open', request };
  const body = JSON.stringify({ worker_epoch: lease.epoch, events: [{ payload }] });
  await sendRequest(`${server.url}${session.path}/worker/events`, { token: lease.token, body });
  return {
    session,
    lease,
    token(sender) {
      if (sender === 'nobody') return undefined;
      if (sender === 'stranger') return 'stranger-token-0123456789';
      if (sender === 'worker') return lease.token;
      return sender === 'superseded worker' ? superseded.token : session.token(sender);
    },
  };
}
