// Generated from src/schemas by `pnpm --filter @proto/core generate`; do not edit.

import { type Check, object, optionalFlag, optionalNumber, optionalText, text, texts } from '../check-parts.ts';

const is_controlRequest_request = (v: any): boolean => object(v) && text(v.subtype);
/** Checks a value against `controlRequest` of `schemas/minimal-schemas.ts`. */
export const controlRequest: Check = (v: any): boolean =>
  object(v) && text(v.request_id) && is_controlRequest_request(v.request);
/** Checks a value against `elicitationResult` of `schemas/minimal-schemas.ts`. */
export const elicitationResult: Check = (v: any): boolean => {
  if (!object(v)) return false;
  switch (v.action) {
    case 'accept':
      return v.content === undefined || object(v.content);
    case 'decline':
    case 'cancel':
      return true;
    default:
      return false;
  }
};
const is_hookCallback_input = (v: any): boolean => object(v) && text(v.hook_event_name);
/** Checks a value against `hookCallback` of `schemas/minimal-schemas.ts`. */
export const hookCallback: Check = (v: any): boolean =>
  object(v) && text(v.callback_id) && is_hookCallback_input(v.input) && optionalText(v.tool_use_id);
const is_hookOutput_false_hookSpecificOutput_PermissionRequest_decision = (v: any): boolean => {
  if (!object(v)) return false;
  switch (v.behavior) {
    case 'allow':
      return (
        (v.updatedInput === undefined || object(v.updatedInput)) &&
        (v.updatedPermissions === undefined || Array.isArray(v.updatedPermissions))
      );
    case 'deny':
      return optionalText(v.message) && optionalFlag(v.interrupt);
    default:
      return false;
  }
};
const is_hookOutput_false_hookSpecificOutput = (v: any): boolean => {
  if (!object(v)) return false;
  switch (v.hookEventName) {
    case 'PreToolUse':
      return (
        optionalText(v.permissionDecision) &&
        optionalText(v.permissionDecisionReason) &&
        (v.updatedInput === undefined || object(v.updatedInput))
      );
    case 'PreModelSwitch':
      return optionalText(v.permissionDecision) && optionalText(v.permissionDecisionReason);
    case 'PreSkillShellCommand':
      return optionalText(v.permissionDecision) && optionalText(v.permissionDecisionReason);
    case 'PermissionRequest':
      return is_hookOutput_false_hookSpecificOutput_PermissionRequest_decision(v.decision);
    default:
      return text(v.hookEventName);
  }
};
/** Checks a value against `hookOutput` of `schemas/minimal-schemas.ts`. */
export const hookOutput: Check = (v: any): boolean => {
  if (!object(v)) return false;
  switch (v.async) {
    case true:
      return optionalNumber(v.asyncTimeout);
    case false:
    case undefined:
      return (
        optionalFlag(v.continue) &&
        optionalText(v.stopReason) &&
        optionalText(v.decision) &&
        optionalText(v.reason) &&
        optionalText(v.systemMessage) &&
        (v.hookSpecificOutput === undefined || is_hookOutput_false_hookSpecificOutput(v.hookSpecificOutput))
      );
    default:
      return false;
  }
};
/** Checks a value against `interruptReceipt` of `schemas/minimal-schemas.ts`. */
export const interruptReceipt: Check = (v: any): boolean =>
  object(v) &&
  (v.still_queued === undefined || texts(v.still_queued)) &&
  (v.cancelled === undefined || texts(v.cancelled));
/** Checks a value against `mcpAnswer` of `schemas/minimal-schemas.ts`. */
export const mcpAnswer: Check = (v: any): boolean => object(v);
/** Checks a value against `permissionRequest` of `schemas/minimal-schemas.ts`. */
export const permissionRequest: Check = (v: any): boolean =>
  object(v) && text(v.tool_name) && object(v.input) && text(v.tool_use_id);
/** Checks a value against `permissionResult` of `schemas/minimal-schemas.ts`. */
export const permissionResult: Check = (v: any): boolean => {
  if (!object(v)) return false;
  switch (v.behavior) {
    case 'allow':
      return (
        (v.updatedInput === undefined || object(v.updatedInput)) &&
        (v.updatedPermissions === undefined || Array.isArray(v.updatedPermissions)) &&
        optionalText(v.toolUseID)
      );
    case 'deny':
      return optionalText(v.message) && optionalFlag(v.interrupt) && optionalText(v.toolUseID);
    default:
      return false;
  }
};
