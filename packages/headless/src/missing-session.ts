import { encodeLine, type WireMessage } from '@proto/core';
import { createCollector, type FinalOutput } from './formats.ts';
import type { MissingSession } from './open-session.ts';
import type { HeadlessOptions } from './options.ts';

/** What is written, in the format asked for, when there is nothing to resume: the reason on stderr, and a result of no turns. */
export function missingOutput({ missing, sessionId }: MissingSession, options: HeadlessOptions): FinalOutput {
  const result = resultOf(missing, sessionId ?? crypto.randomUUID());
  return { stdout: textOf(result, options), stderr: `${missing}\n`, code: 1 };
}

function textOf(result: WireMessage, options: HeadlessOptions): string {
  if (options.outputFormat === 'stream-json') return encodeLine(result);
  const collector = createCollector(options);
  collector.take(result);
  return collector.finish().stdout;
}

function resultOf(error: string, session_id: string): WireMessage {
  return {
    type: 'result',
    subtype: 'error_during_execution',
    is_error: true,
    duration_ms: 0,
    duration_api_ms: 0,
    num_turns: 0,
    stop_reason: null,
    total_cost_usd: 0,
    usage: {
      input_tokens: 0,
      output_tokens: 0,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      server_tool_use: { web_search_requests: 0, web_fetch_requests: 0 },
      service_tier: 'standard',
    },
    modelUsage: {},
    permission_denials: [],
    errors: [error],
    result_index: 0,
    uuid: crypto.randomUUID(),
    session_id,
  };
}
