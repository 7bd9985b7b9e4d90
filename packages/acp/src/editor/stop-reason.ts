import { type StopReason, RequestError } from '@agentclientprotocol/sdk';
import type { Members } from '../members.ts';

/** Returns why a turn ended, from its `result`. @throws {RequestError} `-32603` with the texts of the agent, if the turn failed. */
export function stopReasonOf(result: Members): StopReason {
  const { subtype, terminal_reason: reason, is_error: isError, stop_reason: stopReason } = result;
  if (String(reason).startsWith('aborted')) return 'cancelled';
  if (subtype === 'error_max_turns') return 'max_turn_requests';
  if (subtype === 'success' && isError !== true) {
    if (stopReason === 'max_tokens') return 'max_tokens';
    return stopReason === 'refusal' ? 'refusal' : 'end_turn';
  }
  throw RequestError.internalError(undefined, textOf(result));
}

function textOf({ result, errors, subtype }: Members): string {
  const texts = Array.isArray(errors) ? errors.map(String) : [];
  if (texts.length > 0) return texts.join('\n');
  return typeof result === 'string' && result !== '' ? result : `the turn failed: ${String(subtype)}`;
}
