import type { Issue } from '../errors.ts';
import type { Check } from '../messages/check-parts.ts';
import { issueOf } from '../messages/explain.ts';
import * as minimal from '../messages/generated/minimal-checks.ts';
import type {
  ElicitationResult,
  HookJSONOutput,
  PermissionResult,
  SDKControlInterruptResponse,
  SDKControlMcpMessageResponse,
  SDKControlPermissionRequest,
  SDKHookCallbackRequest,
} from '../messages/message-types.ts';
import type { ControlRequestFrame } from './control-frames.ts';
import type { Schema } from './schema.ts';

/**
 * The result of a check: the value with its type, or its issues. Only the members that a session uses are checked (`schemas/minimal-schemas.ts`). The
 * types of all other members are not checked.
 */
export type Checked<T> =
  | { readonly value: T; readonly issues?: undefined }
  | { readonly issues: readonly Issue[]; readonly value?: undefined };

/** Checks the id of a control request, and the subtype in its body. */
export function checkControlRequest(value: unknown): Checked<ControlRequestFrame> {
  return checked(minimal.controlRequest, value);
}

export function checkPermissionRequest(value: unknown): Checked<SDKControlPermissionRequest> {
  return checked(minimal.permissionRequest, value);
}

/** Checks the answer to a permission request. An answer that fails the check is not a permission. */
export function checkPermissionResult(value: unknown): Checked<PermissionResult> {
  return checked(minimal.permissionResult, value);
}

export function checkHookCallback(value: unknown): Checked<SDKHookCallbackRequest> {
  return checked(minimal.hookCallback, value);
}

export function checkHookOutput(value: unknown): Checked<HookJSONOutput> {
  return checked(minimal.hookOutput, value);
}

/** Checks the receipt of an interrupt. Older agents send an empty receipt. */
export function checkInterruptReceipt(value: unknown): Checked<SDKControlInterruptResponse> {
  return checked(minimal.interruptReceipt, value);
}

/** Checks the user's answer to a question from an MCP server. */
export function checkElicitationResult(value: unknown): Checked<ElicitationResult> {
  return checked(minimal.elicitationResult, value);
}

/** Checks the answer from an MCP server that runs in the host. */
export function checkMcpAnswer(value: unknown): Checked<SDKControlMcpMessageResponse> {
  return checked(minimal.mcpAnswer, value);
}

function checked<T>(passes: Check, value: unknown): Checked<T> {
  return passes(value) ? { value: value as T } : { issues: [issueOf(passes, value)] };
}

/** Turns a check into a schema that `request` accepts for an answer. */
export function schemaOf<T>(check: (value: unknown) => Checked<T>): Schema<T> {
  return {
    safeParse(value) {
      const { value: data, issues } = check(value);
      return issues === undefined ? { success: true, data } : { success: false, error: { issues } };
    },
  };
}
