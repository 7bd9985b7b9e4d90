import * as z from 'zod/mini';
import { openUnion } from './open.ts';

// These schemas check only the members that a session uses, because a session must serve peers that are older or newer than the full schemas.
// All other members are not checked: a session trusts the peer to send them correctly.

/** The members of a control request that are checked: its id, and the subtype of its body. */
export const controlRequest = z.looseObject({ request_id: z.string(), request: z.looseObject({ subtype: z.string() }) });

/** The body of a request for permission. */
export const permissionRequest = z.looseObject({ tool_name: z.string(), input: z.record(z.string(), z.unknown()), tool_use_id: z.string() });

// The rules in `updatedPermissions` are checked one by one when they are applied, so that an invalid rule does not undo the permission.
const allowed = {
  behavior: z.literal('allow'),
  updatedInput: z.optional(z.record(z.string(), z.unknown())),
  updatedPermissions: z.optional(z.array(z.unknown())),
};
const denied = { behavior: z.literal('deny'), message: z.optional(z.string()), interrupt: z.optional(z.boolean()) };

/** The answer to a request for permission. A value that fails this schema grants no permission. */
export const permissionResult = z.discriminatedUnion('behavior', [
  z.looseObject({ ...allowed, toolUseID: z.optional(z.string()) }),
  z.looseObject({ ...denied, toolUseID: z.optional(z.string()) }),
]);

/** A call to a hook. The members of its input are not checked, so that hooks still run for an agent that leaves out a member. */
export const hookCallback = z.looseObject({
  callback_id: z.string(),
  input: z.looseObject({ hook_event_name: z.string() }),
  tool_use_id: z.optional(z.string()),
});

const decision = { permissionDecision: z.optional(z.string()), permissionDecisionReason: z.optional(z.string()) };

/** The answer of a hook. */
export const hookOutput = z.discriminatedUnion('async', [
  z.looseObject({ async: z.literal(true), asyncTimeout: z.optional(z.number()) }),
  z.looseObject({
    async: z.optional(z.literal(false)),
    continue: z.optional(z.boolean()),
    stopReason: z.optional(z.string()),
    decision: z.optional(z.string()),
    reason: z.optional(z.string()),
    systemMessage: z.optional(z.string()),
    hookSpecificOutput: z.optional(
      openUnion('hookEventName', [
        z.looseObject({ hookEventName: z.literal('PreToolUse'), ...decision, updatedInput: z.optional(z.record(z.string(), z.unknown())) }),
        z.looseObject({ hookEventName: z.literal('PreModelSwitch'), ...decision }),
        z.looseObject({ hookEventName: z.literal('PreSkillShellCommand'), ...decision }),
        z.looseObject({
          hookEventName: z.literal('PermissionRequest'),
          decision: z.discriminatedUnion('behavior', [z.looseObject(allowed), z.looseObject(denied)]),
        }),
      ]),
    ),
  }),
]);

/** The receipt of an interrupt. Older agents send an empty receipt. */
export const interruptReceipt = z.looseObject({ still_queued: z.optional(z.array(z.string())), cancelled: z.optional(z.array(z.string())) });

/** The user's answer to a question of an MCP server. */
export const elicitationResult = z.discriminatedUnion('action', [
  z.looseObject({ action: z.literal('accept'), content: z.optional(z.record(z.string(), z.unknown())) }),
  z.looseObject({ action: z.enum(['decline', 'cancel']) }),
]);

/** The answer of an MCP server in the host. The members are not checked, because only the MCP client knows what it asked. */
export const mcpAnswer = z.looseObject({});
