import { encodeLine, type WireMessage } from '@proto/core/framing';
import type { HeadlessOptions } from '../flags/options.ts';

/** What is left to write when the session has ended, and the code to leave with. */
export interface FinalOutput {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number;
}

/** Collects what an agent says, for the formats that write at the end. */
export interface Collector {
  take(message: WireMessage): void;
  finish(): FinalOutput;
}

// Part of the traffic, not of the conversation.
const LEFT_OUT = new Set([
  'control_request',
  'control_response',
  'control_cancel_request',
  'stream_event',
  'keep_alive',
]);

type Limits = Pick<HeadlessOptions, 'outputFormat' | 'verbose' | 'maxTurns' | 'maxBudgetUsd'>;

/**
 * The formats `text` and `json`. Both follow the last result, whatever comes behind it. `stream-json` needs nothing of this: each
 * message is written as it comes, and nothing at the end.
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
