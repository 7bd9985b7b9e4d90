import { objectOf } from '../json/values.ts';
import type { Account } from './accounts.ts';

const MEMBERS_ABOUT_CLIENT = ['promptSuggestions', 'supportedDialogKinds'];

/** Whether an account may use a session in any way. */
export function mayEnter({ sessions }: Account, session: string): boolean {
  return sessions === undefined || sessions.includes(session);
}

/** Whether an account may send this message. Every client needs `initialize`, so an approver may send it, but only without agent settings. */
export function maySend({ role }: Account, type: string, payload: unknown): boolean {
  if (role === 'driver' || type === 'keep_alive') return true;
  if (role === 'viewer') return false;
  return type === 'control_response' || (type === 'control_request' && isPlainInitialize(payload));
}

/**
 * Whether a request is an `initialize` with only the listed members. Any other member, such as a member of a later version, may change what the agent
 * does.
 */
function isPlainInitialize(payload: unknown): boolean {
  const { subtype, ...members } = objectOf(objectOf(payload)['request']);
  return subtype === 'initialize' && Object.keys(members).every((name) => MEMBERS_ABOUT_CLIENT.includes(name));
}
