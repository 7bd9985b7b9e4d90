import type { Turn } from '@proto/agent';
import type { ToolResult } from './tool.ts';

type Decision = Awaited<ReturnType<Turn['canUseTool']>>;

/** What a tool call came to, in every form in which it is told. */
export interface CallOutcome {
  /** For the model. */
  readonly content: ToolResult['content'];
  /** The same as a text. */
  readonly text: string;
  /** For hosts. */
  readonly output: unknown;
  readonly isError: boolean;
  /** How it was decided: members of `tool_result_meta`. */
  readonly meta: object;
}

/** A call that was made. */
export function callDone({ content, output = content }: ToolResult, decision: Decision): CallOutcome {
  return { content, text: plainText(content), output, isError: false, meta: decisionMeta(decision) };
}

/** A call that was made and failed, or that could not be made. */
export function callFailed(message: string, decision?: Decision): CallOutcome {
  const meta = decision === undefined ? {} : decisionMeta(decision);
  return { content: message, text: message, output: `Error: ${message}`, isError: true, meta };
}

/** A call that was not permitted. */
export function callRefused(decision: Decision & { readonly behavior: 'deny' }): CallOutcome {
  return callFailed(decision.message, decision);
}

/** A call that an interrupt kept from being made, or from being finished. */
export function callInterrupted(): CallOutcome {
  const message = 'The turn was interrupted: the result of this call is not known.';
  const meta = { non_execution_kind: 'user-rejected' };
  return { content: message, text: message, output: 'User rejected tool use', isError: true, meta };
}

/** The text in a tool's content; a block of another kind is told by its type. */
function plainText(content: ToolResult['content']): string {
  if (typeof content === 'string') return content;
  return content.map((block) => blockText(block)).join('\n');
}

function blockText(block: object): string {
  const text: unknown = Reflect.get(block, 'text');
  return typeof text === 'string' ? text : `(${String(Reflect.get(block, 'type'))})`;
}

/** In the words of published agents; hosts keep statistics by them. */
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
