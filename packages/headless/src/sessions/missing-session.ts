import { encodeLine, type WireMessage } from '@proto/core/framing';
import { failedResult } from '@proto/core/internal';
import type { HeadlessOptions } from '../flags/options.ts';
import { createCollector, type FinalOutput } from '../output/formats.ts';
import type { MissingSession } from './opened-session.ts';

/** What is written, in the format asked for, when there is nothing to resume: the reason on stderr, and a result of no turns. */
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
