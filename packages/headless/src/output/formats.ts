import { encodeLine, type WireMessage } from '@proto/core/framing';
import { failedResult } from '@proto/core/internal';
import type { HeadlessOptions } from '../flags/options.ts';
import type { MissingSession } from '../sessions/opened-session.ts';

/** The text to write after the session has ended, and the exit code. */
export interface FinalOutput {
  /** The text for stdout. Empty after `stream-json`, because all messages have already been written. */
  readonly stdout: string;
  /** The text for stderr: an error with its line end, or an empty string. */
  readonly stderr: string;
  /** The exit code: 1 after an error, otherwise 0. */
  readonly code: number;
}

/** Collects an agent's messages, for the formats that write their output at the end of the session. */
export interface Collector {
  /** Adds a message from the agent. */
  take(message: WireMessage): void;
  /** Returns the output for the messages so far. Without a `result` message, the output is an error. */
  finish(): FinalOutput;
}

// Messages of these types are not part of the conversation.
const LEFT_OUT = new Set([
  'control_request',
  'control_response',
  'control_cancel_request',
  'stream_event',
  'keep_alive',
]);

type Limits = Pick<HeadlessOptions, 'outputFormat' | 'verbose' | 'maxTurns' | 'maxBudgetUsd'>;

/**
 * Creates a collector for the formats `text` and `json`. In both formats, the last result is written, even if other messages follow it. `stream-json`
 * needs no collector, because each message is written when it arrives.
 */
export function createCollector(options: Limits): Collector {
  const keeps = options.outputFormat === 'json' && options.verbose === true;
  const messages: WireMessage[] = [];
  let result: WireMessage | undefined;
  return {
    take(message) {
      if (LEFT_OUT.has(message.type)) return;
      if (keeps) messages.push(message);
      if (message.type === 'result') result = message;
    },
    finish() {
      if (result === undefined) return failure('No messages returned');
      if (options.outputFormat === 'text') return textOutput(result, options);
      return output(encodeLine(keeps ? messages : result), result);
    },
  };
}

function textOutput(result: WireMessage, options: Limits): FinalOutput {
  const subtype = String(result['subtype']);
  switch (subtype) {
    case 'success': {
      const text = typeof result['result'] === 'string' ? result['result'] : '';
      return output(text.endsWith('\n') ? text : `${text}\n`, result);
    }
    case 'error_during_execution':
      return output('Execution error', result);
    case 'error_max_turns':
      return output(`Error: Reached max turns (${options.maxTurns ?? String(result['num_turns'])})`, result);
    case 'error_max_budget_usd': {
      const budget = options.maxBudgetUsd ?? String(result['total_cost_usd']);
      return output(`Error: Exceeded USD budget (${budget})`, result);
    }
    case 'error_max_structured_output_retries':
      return output('Error: Failed to provide valid structured output after maximum retries', result);
    default:
      return failure(`Unknown result subtype: ${subtype}`);
  }
}

function output(stdout: string, result: WireMessage): FinalOutput {
  return { stdout, stderr: '', code: result['is_error'] === true ? 1 : 0 };
}

function failure(problem: string): FinalOutput {
  return { stdout: '', stderr: `Error: ${problem}\n`, code: 1 };
}

/** Returns the output for a session that cannot be resumed: the reason on stderr, and a result without turns in the output format. */
export function missingOutput(
  { missing, sessionId, startupFailure: startup_failure_reason }: MissingSession,
  options: HeadlessOptions,
): FinalOutput {
  const failed = failedResult(missing, sessionId ?? crypto.randomUUID());
  const result = startup_failure_reason === undefined ? failed : { ...failed, startup_failure_reason };
  return { stdout: textOf(result, options), stderr: `${missing}\n`, code: 1 };
}

function textOf(result: WireMessage, options: HeadlessOptions): string {
  if (options.outputFormat === 'stream-json') return encodeLine(result);
  const collector = createCollector(options);
  collector.take(result);
  return collector.finish().stdout;
}
