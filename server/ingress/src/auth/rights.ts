import { objectOf } from '../json/values.ts';
import type { Account } from './accounts.ts';

/** Members of an `initialize` that only describe what the client can show. */
const OF_THE_CLIENT = ['promptSuggestions', 'supportedDialogKinds'];

/** Whether an account may use a session at all. */
export function mayEnter({ sessions }: Account, session: string): boolean {
  return sessions === undefined || sessions.includes(session);
}

/** Whether an account may send this message. Every client needs `initialize`, so an approver may send it, but only without settings of the agent. */
export function maySend({ role }: Account, type: string, payload: unknown): boolean {
  if (role === 'driver' || type === 'keep_alive') return true;
  if (role === 'viewer') return false;
  return type === 'control_response' || (type === 'control_request' && isPlainInitialize(payload));
}

/** Whether an `initialize` only describes the client. Other members may change what the agent does, also members of later versions. */
function isPlainInitialize(payload: unknown): boolean {
  const { subtype, ...members } = objectOf(objectOf(payload)['request']);
  return subtype === 'initialize' && Object.keys(members).every((name) => OF_THE_CLIENT.includes(name));
}
