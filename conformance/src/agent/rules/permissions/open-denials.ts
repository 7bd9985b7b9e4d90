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
  /** False if a hook answered with a decision that the text does not define. An agent may take it for a denial. */
  readonly isCertain: boolean;
  isReported: boolean;
}

const KNOWN_DECISIONS: readonly unknown[] = ['allow', 'ask', 'defer', undefined];

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
          isCertain: true,
          isReported: false,
        }
      : undefined;
  const decision = member(payload, 'hookSpecificOutput', 'permissionDecision');
  const text = member(payload, 'hookSpecificOutput', 'permissionDecisionReason');
  return member(request, 'request', 'input', 'hook_event_name') !== 'PreToolUse' || KNOWN_DECISIONS.includes(decision)
    ? undefined
    : { call, text, isByHook: true, isCertain: decision === 'deny', isReported: false };
}

export function problemOf(message: Message, open: OpenDenials, kind: DenialFault): Broken | undefined {
  if (message['type'] === 'user')
    for (const block of blocksOfType(message, 'tool_result'))
      for (const denial of open.ofCall(block['tool_use_id'])) {
        if (denial.isReported || !denial.isCertain) continue;
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
  const missing = open.all.find(
    ({ call, isByHook, isCertain }) => isCertain && isByHook === (kind === 'by-hook') && !ids.has(call),
  );
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
