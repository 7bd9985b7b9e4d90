import type { WireMessage } from '@proto/core/framing';
import { verifies } from '@proto/test-support/verifies';
import { describe, expect } from 'vitest';
import type { HeadlessOptions } from '../flags/options.ts';
import { createCollector } from './formats.ts';

const result = (subtype: string, members: object = {}): WireMessage => ({
  type: 'result',
  subtype,
  is_error: subtype !== 'success',
  ...members,
});
const success = (text: string) => result('success', { result: text });

function outputOf(options: Partial<HeadlessOptions>, ...messages: readonly WireMessage[]) {
  const collector = createCollector({ outputFormat: 'text', ...options });
  for (const message of messages) collector.take(message);
  return collector.finish();
}

const NOTHING = { stdout: '', stderr: 'Error: No messages returned\n', code: 1 };

describe('text', () => {
  verifies('CLI-39', 'is the text of the result and ends with exactly one line end', () => {
    expect(outputOf({}, success('a\nb'))).toEqual({ stdout: 'a\nb\n', stderr: '', code: 0 });
    expect(outputOf({}, success('a\n'))).toEqual({ stdout: 'a\n', stderr: '', code: 0 });
    expect(outputOf({}, success(''))).toEqual({ stdout: '\n', stderr: '', code: 0 });
    expect(outputOf({}, { ...success('the API failed'), is_error: true })).toMatchObject({ code: 1 });
  });

  verifies(['PROGRAM-9', 'PROGRAM-11'], 'of a failed turn is a sentence on stdout without a line end', () => {
    expect(outputOf({}, result('error_during_execution'))).toEqual({ stdout: 'Execution error', stderr: '', code: 1 });
  });

  verifies(['PROGRAM-9', 'PROGRAM-11'], 'of a turn that exceeded its turn limit names the limit', () => {
    const stdout = 'Error: Reached max turns (3)';
    expect(outputOf({ maxTurns: 3 }, result('error_max_turns'))).toEqual({ stdout, stderr: '', code: 1 });
    expect(outputOf({}, result('error_max_turns', { num_turns: 3 }))).toMatchObject({ stdout });
  });

  verifies(['PROGRAM-9', 'PROGRAM-11'], 'of a turn that exceeded its budget names the budget', () => {
    const stdout = 'Error: Exceeded USD budget (0.5)';
    expect(outputOf({ maxBudgetUsd: 0.5 }, result('error_max_budget_usd'))).toEqual({ stdout, stderr: '', code: 1 });
    expect(outputOf({}, result('error_max_budget_usd', { total_cost_usd: 0.5 }))).toMatchObject({ stdout });
  });

  verifies(['PROGRAM-9', 'PROGRAM-11'], 'of a turn that never fitted the output schema is a sentence', () => {
    expect(outputOf({}, result('error_max_structured_output_retries'))).toEqual({
      stdout: 'Error: Failed to provide valid structured output after maximum retries',
      stderr: '',
      code: 1,
    });
  });

  verifies('PROGRAM-8', 'without a result is empty, with an error on stderr', () => {
    expect(outputOf({}, { type: 'assistant' })).toEqual(NOTHING);
    expect(outputOf({})).toEqual(NOTHING);
  });

  verifies('PROGRAM-10', 'is empty for an unknown result subtype, even if that is not marked as an error', () => {
    expect(outputOf({}, result('error_new', { is_error: false, result: 'x' }))).toEqual({
      stdout: '',
      stderr: 'Error: Unknown result subtype: error_new\n',
      code: 1,
    });
  });
});

describe('json', () => {
  const assistant = { type: 'assistant', message: { content: [] } };
  const traffic = ['control_request', 'control_response', 'control_cancel_request', 'stream_event', 'keep_alive'];

  verifies('CLI-40', 'is the last result on one line', () => {
    const { stdout, ...rest } = outputOf({ outputFormat: 'json' }, assistant, success('a'));
    expect({ rest, stdout }).toEqual({ rest: { stderr: '', code: 0 }, stdout: `${JSON.stringify(success('a'))}\n` });
  });

  verifies(
    ['PROGRAM-7', 'CLI-41'],
    'with verbose is an array of the conversation messages without control messages',
    () => {
      const messages = traffic.flatMap((type) => [{ type }, assistant]);
      const { stdout, code } = outputOf({ outputFormat: 'json', verbose: true }, ...messages, success('a'));
      expect(stdout).toBe(`${JSON.stringify([...traffic.map(() => assistant), success('a')])}\n`);
      expect(code).toBe(0);
    },
  );

  verifies(['PROGRAM-11', 'FRM-9'], 'is one line for every reader: U+2028 and U+2029 are escaped', () => {
    for (const verbose of [false, true]) {
      const { stdout } = outputOf({ outputFormat: 'json', verbose }, success('a\u2028b\u2029c'));
      expect(stdout).toContain('a\\u2028b\\u2029c');
      expect(stdout).not.toMatch(/[\u2028\u2029]/);
      expect([JSON.parse(stdout) as unknown].flat().at(-1)).toEqual(success('a\u2028b\u2029c'));
    }
    // Text output is meant for people, so the characters are not escaped.
    expect(outputOf({}, success('a\u2028b')).stdout).toBe('a\u2028b\n');
  });

  verifies('PROGRAM-8', 'without a result is empty, with an error on stderr, also with verbose', () => {
    expect(outputOf({ outputFormat: 'json' }, assistant)).toEqual(NOTHING);
    expect(outputOf({ outputFormat: 'json', verbose: true }, assistant)).toEqual(NOTHING);
  });

  verifies('PROGRAM-8', 'and text are taken from the last result, also when other messages follow it', () => {
    const later = [{ type: 'command_lifecycle' }, { type: 'system', subtype: 'session_state_changed' }];
    for (const outputFormat of ['text', 'json'] as const) {
      const good = outputOf({ outputFormat }, result('error_during_execution'), success('a'), ...later);
      const bad = outputOf({ outputFormat }, success('a'), result('error_during_execution'), ...later);
      expect([good.code, bad.code]).toEqual([0, 1]);
      expect(good.stdout).toContain('a');
      expect(bad.stdout).toMatch(/Execution error|error_during_execution/);
    }
  });
});
