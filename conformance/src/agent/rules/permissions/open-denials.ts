import { shortJson } from '@proto/testkit/steps';

import { member, type Message } from '../../session-log.ts';
import { blocksOfType } from '../messages/message-rules.ts';
import type { Broken } from '../rule.ts';
import { subtypeOf } from '../timeline.ts';

export type DenialFault = 'listed' | 'reported' | 'by-hook' | 'reported-by-hook';

interface Denial {
  readonly call: unknown;
  readonly text: unknown;
  readonly isByHook: boolean;
  isReported: boolean;
}

/** The denials of a turn. */
export class OpenDenials {
  readonly all: Denial[] = [];
  readonly #ofCalls = new Map<unknown, Denial[]>();

  add(denial: Denial): void {
    this.all.push(denial);
    const own = this.#ofCalls.get(denial.call);
    if (own === undefined) this.#ofCalls.set(denial.call, [denial]);
    else own.push(denial);
  }

  ofCall(call: unknown): readonly Denial[] {
    return this.#ofCalls.get(call) ?? [];
  }
}

export function denialOf(request: Message | undefined, payload: unknown): Denial | undefined {
  const call = member(request, 'request', 'tool_use_id');
  if (request === undefined || payload === undefined) return undefined;
  if (subtypeOf(request) === 'can_use_tool')
    return member(payload, 'behavior') === 'deny'
      ? {
          call,
          text: member(payload, 'interrupt') === true ? undefined : member(payload, 'message'),
          isByHook: false,
          isReported: false,
        }
      : undefined;
  const isDenied =
    member(request, 'request', 'input', 'hook_event_name') === 'PreToolUse' &&
    member(payload, 'hookSpecificOutput', 'permissionDecision') === 'deny';
  const text = member(payload, 'hookSpecificOutput', 'permissionDecisionReason');
  return isDenied ? { call, text, isByHook: true, isReported: false } : undefined;
}

export function problemOf(message: Message, open: OpenDenials, kind: DenialFault): Broken | undefined {
  if (message['type'] === 'user')
    for (const block of blocksOfType(message, 'tool_result'))
      for (const denial of open.ofCall(block['tool_use_id'])) {
        if (denial.isReported) continue;
        denial.isReported = true;
        if (kind === 'reported-by-hook' && denial.isByHook) {
          // If several hooks deny a call, the agent reports the reason of one hook.
          const reasons = open.ofCall(denial.call).map(({ text }) => text);
          const hasReason = reasons.some((text) => typeof text !== 'string' || containsText(block, text));
          if (!hasReason)
            return {
              message: 'A hook denied a call, but the tool_result does not contain the reason that the hook gave.',
              got: message,
            };
        }
        if (kind !== 'reported' || denial.isByHook) continue;
        if (block['is_error'] !== true)
          return { message: 'The tool_result of a denied call lacks is_error: true.', got: message };
        if (typeof denial.text === 'string' && !containsText(block, denial.text))
          return {
            message: 'The tool_result of a denied call does not contain the message of the denial.',
            got: message,
          };
      }
  if (message['type'] !== 'result' || kind === 'reported' || kind === 'reported-by-hook') return undefined;
  const listed = message['permission_denials'];
  const ids = new Set(Array.isArray(listed) ? listed.map((denial) => member(denial, 'tool_use_id')) : []);
  const missing = open.all.find(({ call, isByHook }) => isByHook === (kind === 'by-hook') && !ids.has(call));
  return (
    missing && {
      message: `permission_denials does not contain the call ${shortJson(missing.call)}, which was denied.`,
      got: message,
    }
  );
}

function containsText(block: Message, text: string): boolean {
  return JSON.stringify(block['content'])?.includes(JSON.stringify(text).slice(1, -1)) === true;
}
