import { ControlError, ProtocolError } from '@proto/core';
import { issueText } from '@proto/core/internal';
import type { McpServerProvenance, PermissionResult, PermissionUpdate } from '@proto/core/messages';
import { TransportError } from '@proto/core/transport';
import { validPermissionUpdates } from './permission-updates.ts';

export interface ToolCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly toolUseID: string;
  /** Undefined for the agent's own tools. */
  readonly mcpServer?: McpServerProvenance;
}

/** The decision that a call may be made. */
export interface PermissionAllowed {
  readonly behavior: 'allow';
  readonly toolUseID: string;
  readonly decidedBy: 'rules' | 'hook' | 'host' | 'prompt-tool';
  /** The input to call the tool with, which the answer may have changed. */
  readonly input: Readonly<Record<string, unknown>>;
  /** The valid rule changes that arrived with the permission. */
  readonly updatedPermissions: readonly PermissionUpdate[];
  /** Texts from hooks for the model, to be added to the tool result. */
  readonly additionalContext?: readonly string[];
}

/** The decision that a call must not be made. The turn continues unless `interrupt` is `true`. */
export interface PermissionDenied {
  readonly behavior: 'deny';
  readonly toolUseID: string;
  /**
   * Who or what denied the call. The value `failure` means that the question could not be asked or received no valid answer, for the reason in
   * `error`.
   */
  readonly decidedBy: PermissionAllowed['decidedBy'] | 'failure';
  /** The text that the model receives as the tool result. */
  readonly message: string;
  readonly interrupt: boolean;
  readonly error?: unknown;
  /** Why a hook ends the turn after this call. The agent must not call its model again. The turn's result states that a hook ended the turn. */
  readonly stopReason?: string;
  /** Texts from hooks for the model, to be added to the tool result. */
  readonly additionalContext?: readonly string[];
}

/** The decision whether a tool call may be made. */
export type PermissionDecision = PermissionAllowed | PermissionDenied;

export function permissionDecision(
  result: PermissionResult,
  { tool, input, toolUseID }: ToolCall,
  decidedBy: PermissionAllowed['decidedBy'],
): PermissionDecision {
  if (result.behavior === 'allow') {
    const updatedPermissions = validPermissionUpdates(result.updatedPermissions);
    return { behavior: 'allow', toolUseID, decidedBy, input: result.updatedInput ?? input, updatedPermissions };
  }
  // Some hosts leave out an empty message. Without any text in the tool result, the model would not know what happened.
  const message = result.message || `Permission to use ${tool} was denied.`;
  return { behavior: 'deny', toolUseID, decidedBy, message, interrupt: result.interrupt === true };
}

export function permissionFailure(error: unknown, toolUseID: string): PermissionDenied {
  const message = `Tool permission request failed: ${textOf(error)}`;
  return { behavior: 'deny', toolUseID, decidedBy: 'failure', message, interrupt: false, error };
}

/** The text of a failure. Hosts and transcripts show this text, so its wording is the same as in published agents. */
function textOf(error: unknown): string {
  if (ControlError.is(error)) return `Error: ${error.message}`;
  if (ProtocolError.is(error)) return `Error: ${[error.message, ...error.issues.map(issueText)].join('; ')}`;
  if (TransportError.is(error) && error.code === 'closed') {
    return 'AbortError: Tool permission stream closed before response received';
  }
  if (error instanceof Error) return `${error.name}: ${error.message}`;
  return typeof error === 'string' ? error : 'Error';
}
