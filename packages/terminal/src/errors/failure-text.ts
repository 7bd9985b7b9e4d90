import { errorLine } from './error-line.ts';
import { missingAgent } from './missing-agent.ts';
import type { RunFormat } from '../view/outputs.ts';

/** What went wrong, without a line end: for people, or as one line of JSON where the output is for programs. */
export function failureText(error: unknown, format: RunFormat): string {
  const { message, code = 'error', retryable = false } = error as Error & { code?: string; retryable?: boolean };
  const missing = missingAgent(error);
  if (format !== 'json' && format !== 'ndjson') return `sjp run: ${missing?.text ?? message}`;
  return errorLine(missing ?? { code, message, retryable }).trimEnd();
}
