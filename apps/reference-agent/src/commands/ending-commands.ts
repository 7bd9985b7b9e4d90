import type { WireMessage } from '@proto/core/framing';
import { type Action, type Command, jsonOf } from '../actions.ts';
import { pause } from '../pause.ts';
import { freshId } from '../turns/blocks.ts';

const API_ERROR = 'API Error: 400 the reference agent was asked to fail';

const FAILURES: Readonly<Record<string, (signal: AbortSignal) => readonly Action[]>> = {
  max_turns: () => [
    failed({ subtype: 'error_max_turns', terminal_reason: 'max_turns', errors: ['Reached maximum number of turns'] }),
  ],
  budget: () => [
    failed({
      subtype: 'error_max_budget_usd',
      terminal_reason: 'budget_exhausted',
      errors: ['Reached maximum budget'],
    }),
  ],
  // A failed request to the model does not fail the turn: its result is a success on the wire, with the error as text and with `is_error`.
  api: () => [
    {
      kind: 'end',
      messages: [apiError()],
      result: {
        subtype: 'success',
        is_error: true,
        result: API_ERROR,
        stop_reason: 'stop_sequence',
        terminal_reason: 'api_error',
        api_error_status: 400,
      },
    },
  ],
  execution: () => [failed({ subtype: 'error_during_execution', errors: ['the reference agent was asked to fail'] })],
  crash: (signal) => [{ kind: 'say', pieces: crash(signal) }],
};

/** `/fail KIND`: ends the turn in the way that real agents do after a failure. `crash` ends the process. */
export const fail: Command = (kind, signal) => {
  const failure = Object.hasOwn(FAILURES, kind) ? FAILURES[kind] : undefined;
  if (failure === undefined) throw new Error(`/fail needs one of ${Object.keys(FAILURES).join(', ')}, not '${kind}'`);
  return failure(signal);
};

function failed(result: object): Action {
  return { kind: 'end', result: { is_error: true, ...result } };
}

function apiError(): WireMessage {
  const message = {
    id: freshId('msg'),
    type: 'message',
    role: 'assistant',
    model: '<synthetic>',
    content: [{ type: 'text', text: API_ERROR }],
    stop_reason: 'stop_sequence',
    stop_sequence: '',
    usage: { input_tokens: 0, output_tokens: 0 },
  };
  const error = { error: 'unknown', is_api_error_message: true, api_error_status: 400 };
  return { type: 'assistant', message, parent_tool_use_id: null, ...error };
}

/** Throws an error that is not caught, so that the process ends without a result. */
async function* crash(signal: AbortSignal): AsyncGenerator<string, void, undefined> {
  setTimeout(() => {
    throw new Error('the reference agent was asked to crash');
  });
  // A browser reports the error and continues, so the turn waits for its interrupt.
  await pause(Infinity, signal);
  yield '';
}

/** `/json JSON`: returns JSON as the structured output, even if it does not match the schema of the host. */
export const json: Command = (argument) => [{ kind: 'structure', value: jsonOf('/json', argument) }];
