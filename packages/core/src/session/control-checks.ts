import type { Issue } from '../errors.ts';
import type {
  HookJSONOutput,
  PermissionResult,
  SDKControlInterruptResponse,
  SDKControlPermissionRequest,
  SDKHookCallbackRequest,
} from '../messages/message-types.ts';
import type { ControlRequestFrame } from './control-frames.ts';
import { isRecord } from './is-record.ts';
import {
  type Check,
  closedUnion,
  flag,
  list,
  members,
  number,
  optional,
  record,
  text,
  texts,
} from './member-checks.ts';

/**
 * A value of its type, or what is wrong with it. Only the members a session acts on are looked at, so the type of the others is
 * what the peer promises.
 */
export type Checked<T> =
  | { readonly value: T; readonly issues?: undefined }
  | { readonly issues: readonly Issue[]; readonly value?: undefined };

const body = members({ subtype: text });
const request = members({ request_id: text, request: body });
const permissionRequest = members({ tool_name: text, input: record, tool_use_id: text });
// Rules to remember are looked at one by one where they are applied: one that is wrong does not undo the permission.
const ALLOW = { updatedInput: optional(record), updatedPermissions: optional(list) };
const DENY = { message: optional(text), interrupt: optional(flag) };
const permissionResult = closedUnion('behavior', {
  allow: members({ ...ALLOW, toolUseID: optional(text) }),
  deny: members({ ...DENY, toolUseID: optional(text) }),
});
const hookCallback = members({
  callback_id: text,
  input: members({ hook_event_name: text }),
  tool_use_id: optional(text),
});
const receipt = members({ still_queued: optional(texts), cancelled: optional(texts) });

const decided: Check = closedUnion('behavior', { allow: members(ALLOW), deny: members(DENY) });
const SPECIFIC: Readonly<Record<string, Check>> = {
  PreToolUse: members({
    permissionDecision: optional(text),
    permissionDecisionReason: optional(text),
    updatedInput: optional(record),
  }),
  PreModelSwitch: members({ permissionDecision: optional(text), permissionDecisionReason: optional(text) }),
  PermissionRequest: members({ decision: decided }),
};
const specific: Check = (value, path) => {
  const issues = members({ hookEventName: text })(value, path);
  if (issues.length > 0 || !isRecord(value)) return issues;
  const event = String(value['hookEventName']);
  return Object.hasOwn(SPECIFIC, event) ? (SPECIFIC[event]?.(value, path) ?? []) : [];
};
const asynchronous = members({ asyncTimeout: optional(number) });
const synchronous = members({
  continue: optional(flag),
  stopReason: optional(text),
  decision: optional(text),
  reason: optional(text),
  systemMessage: optional(text),
  hookSpecificOutput: optional(specific),
});
const hookOutput: Check = (value, path) =>
  isRecord(value) && value['async'] === true ? asynchronous(value, path) : synchronous(value, path);

/** Checks a control request: its id, and what it asks. */
export const checkControlRequest = checker<ControlRequestFrame>(request);
/** Checks the body of a request for permission. */
export const checkPermissionRequest = checker<SDKControlPermissionRequest>(permissionRequest);
/** Checks the answer to a request for permission. What fails it is no permission. */
export const checkPermissionResult = checker<PermissionResult>(permissionResult);
/** Checks the body of the call of a hook. */
export const checkHookCallback = checker<SDKHookCallbackRequest>(hookCallback);
/** Checks the answer of a hook. */
export const checkHookOutput = checker<HookJSONOutput>(hookOutput);
/** Checks the receipt of an interrupt; older agents send an empty one. */
export const checkInterruptReceipt = checker<SDKControlInterruptResponse>(receipt);

function checker<T>(check: Check): (value: unknown) => Checked<T> {
  return (value) => {
    const issues = check(value, []);
    return issues.length === 0 ? { value: value as T } : { issues };
  };
}
