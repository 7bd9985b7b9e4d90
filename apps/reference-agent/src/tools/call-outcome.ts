import type { Turn } from '@proto/agent';
import type { ToolResult } from './tool.ts';

type Decision = Awaited<ReturnType<Turn['canUseTool']>>;

/** The outcome of a tool call, in every form that messages need. */
export interface CallOutcome {
  /** The result of the call, in the form for the model. */
  readonly content: ToolResult['content'];
  /** The result of the call as a text. */
  readonly text: string;
  /** The result of the call, in the form for hosts. */
  readonly output: unknown;
  readonly isError: boolean;
  /** How the call was permitted or denied: members of `tool_result_meta`. */
  readonly meta: object;
}

/** The outcome of a call that succeeded. */
export function callDone({ content, output = content }: ToolResult, decision: Decision): CallOutcome {
  return { content, text: plainText(content), output, isError: false, meta: decisionMeta(decision) };
}

/** The outcome of a call that failed or could not be made. */
export function callFailed(message: string, decision?: Decision): CallOutcome {
  const meta = decision === undefined ? {} : decisionMeta(decision);
  return { content: message, text: message, output: `Error: ${message}`, isError: true, meta };
}

/** The outcome of a call that was denied. */
export function callRefused(decision: Decision & { readonly behavior: 'deny' }): CallOutcome {
  return callFailed(decision.message, decision);
}

/** The outcome of a call that an interrupt prevented or stopped. */
export function callInterrupted(): CallOutcome {
  const message = 'The turn was interrupted: the result of this call is not known.';
  const meta = { non_execution_kind: 'user-rejected' };
  return { content: message, text: message, output: 'User rejected tool use', isError: true, meta };
}

function plainText(content: ToolResult['content']): string {
  if (typeof content === 'string') return content;
  return content.map((block) => blockText(block)).join('\n');
}

function blockText(block: object): string {
  const text: unknown = Reflect.get(block, 'text');
  return typeof text === 'string' ? text : `(${String(Reflect.get(block, 'type'))})`;
}

/** Returns the decision in the terms that published agents use. Hosts use these terms for statistics. */
function decisionMeta({ behavior, decidedBy }: Decision): object {
  const isHost = decidedBy === 'host' || decidedBy === 'prompt-tool';
  if (behavior === 'allow') {
    const source = isHost ? 'user_temporary' : decidedBy === 'hook' ? 'hook' : 'config';
    return { permission_decision: { decision: 'accept', source } };
  }
  const source = isHost ? 'user_reject' : decidedBy === 'hook' ? 'hook' : 'config';
  const kind = decidedBy === 'rules' ? 'user-rejected' : 'permission-rule';
  return { non_execution_kind: kind, permission_decision: { decision: 'reject', source } };
}
