import { asAgentNotFound } from '@proto/transport-stdio';
import { errorLine } from '../error-line.ts';
import type { RunFormat } from './outputs.ts';

/** What went wrong, without a line end: for people, or as one line of JSON where the output is for programs. */
export function failureText(error: unknown, format: RunFormat): string {
  const { message, code = 'error', retryable = false } = error as Error & { code?: string; retryable?: boolean };
  const { searched = [], hint } = asAgentNotFound(error) ?? {};
  if (format === 'json' || format === 'ndjson') {
    const data = searched.length === 0 ? undefined : { searched };
    return errorLine({ code, message, hint, retryable, data }).trimEnd();
  }
  return [`sjp run: ${message}`, ...searched.map((path) => `  not at ${path}`)].join('\n');
}
