import type { WireMessage } from '@proto/core/framing';
import { isRecord } from '@proto/core/internal';

/** A missing tool result, a missing result, or a superfluous tool result in a stream of messages. */
interface StreamIssue {
  readonly code: 'missing-tool-result' | 'extra-tool-result' | 'missing-result';
  /** The id of the tool call that has the issue. Absent for `missing-result`. */
  readonly toolUseId?: string;
}

/** The tool calls and results of a stream of messages so far. */
export interface StreamReport {
  /** How many tool calls have arrived, as `tool_use` blocks. */
  readonly toolsRequested: number;
  /** How many tool results have arrived, as `tool_result` blocks. */
  readonly toolsReceived: number;
  /** The ids of the tool calls that have no result yet. */
  readonly pendingTools: readonly string[];
  /** Whether a `result` message has arrived. */
  readonly hasResult: boolean;
  /** Whether the stream has ended: the session is over, or `SessionFollower.end` was called. */
  readonly streamEnded: boolean;
  /** The missing and superfluous results. A result counts as missing only after the stream has ended. */
  readonly issues: readonly StreamIssue[];
}

// When the limit is reached, the oldest entries are dropped, so that an agent cannot slow down its host or fill the memory.
const MAX_KEPT = 1000;

export const INITIAL_STREAM_REPORT: StreamReport = {
  toolsRequested: 0,
  toolsReceived: 0,
  pendingTools: [],
  hasResult: false,
  streamEnded: false,
  issues: [],
};

/** Returns the report with one more message counted, or the same object if the message changes nothing. Has no side effects. */
export function reportMessage(report: StreamReport, message: WireMessage): StreamReport {
  if (message.type === 'result') return report.hasResult ? report : { ...report, hasResult: true };
  // A replayed message was already counted when it first arrived.
  if ((message.type !== 'assistant' && message.type !== 'user') || message['isReplay'] === true) return report;
  const blocks = blocksOf(message).filter(({ type }) => type === 'tool_use' || type === 'tool_result');
  return blocks.length === 0 ? report : reportBlocks(report, blocks);
}

/** Returns the report for a stream that has ended, with missing results listed as issues. Has no side effects. */
export function reportEnd(report: StreamReport): StreamReport {
  const missing = report.pendingTools.map((toolUseId): StreamIssue => ({ code: 'missing-tool-result', toolUseId }));
  const noResult: StreamIssue[] = report.toolsRequested > 0 && !report.hasResult ? [{ code: 'missing-result' }] : [];
  return { ...report, streamEnded: true, issues: [...report.issues, ...missing, ...noResult] };
}

/** Copying the report for each block instead of once would take seconds for a message with many blocks. */
function reportBlocks(report: StreamReport, blocks: readonly Readonly<Record<string, unknown>>[]): StreamReport {
  const pending = new Set(report.pendingTools);
  const extra: StreamIssue[] = [];
  let { toolsRequested, toolsReceived } = report;
  for (const block of blocks) {
    if (block['type'] === 'tool_use') {
      toolsRequested++;
      pending.add(String(block['id']));
    } else {
      toolsReceived++;
      const toolUseId = String(block['tool_use_id']);
      if (!pending.delete(toolUseId)) extra.push({ code: 'extra-tool-result', toolUseId });
    }
  }
  const pendingTools = [...pending].slice(-MAX_KEPT);
  return {
    ...report,
    toolsRequested,
    toolsReceived,
    pendingTools,
    issues: [...report.issues, ...extra].slice(-MAX_KEPT),
  };
}

function blocksOf({ message }: WireMessage): readonly Readonly<Record<string, unknown>>[] {
  const content = isRecord(message) ? message['content'] : undefined;
  return Array.isArray(content) ? content.filter(isRecord) : [];
}
