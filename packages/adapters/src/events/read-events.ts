import type { AgentBackend, RunOptions } from '../backends/backend.ts';
import type { ExitInfo } from '../parsers/output-parser.ts';
import type { AgentEvent } from './agent-event.ts';
import { EventOrder } from './event-order.ts';
import { type OnMalformed, RecordReader, TextReader } from './output-reader.ts';
import { ChunkReader, type OutputSource } from './output-source.ts';
import { RecordDecoder } from './record-decoder.ts';

/** How to read a backend's output. */
export interface ReadOptions {
  /** The maximum length of a line in bytes. A longer line is malformed. Default 64 MiB. */
  readonly maxLineBytes?: number;
  /** Called for each line that yields no event, in order with the events. */
  readonly onMalformed?: OnMalformed;
  /** When this signal aborts, reading stops, the source is closed, and `complete` has the reason `aborted`. */
  readonly signal?: AbortSignal;
}

const UNKNOWN_EXIT: ExitInfo = { exitCode: null, signal: null };

/**
 * Reads a backend's output and yields the events of one run. `complete` occurs exactly once, as the last event. The iteration throws only if one of
 * the caller's callbacks throws. `exit` is awaited after the last byte of the output. Leaving the loop closes the source.
 */
export async function* readEvents(
  backend: AgentBackend,
  options: RunOptions,
  output: OutputSource,
  exit: ExitInfo | PromiseLike<ExitInfo>,
  { maxLineBytes, onMalformed = () => {}, signal }: ReadOptions = {},
): AsyncGenerator<AgentEvent, void, undefined> {
  const order = new EventOrder(backend);
  const parser = backend.createParser(options);
  const reader =
    'parseText' in parser
      ? new TextReader(parser, order, onMalformed)
      : new RecordReader(parser, order, new RecordDecoder(maxLineBytes), { prompt: options.prompt, onMalformed });
  const chunks = new ChunkReader(output, signal);
  let left: ExitInfo;
  try {
    for (let chunk = await chunks.next(); chunk !== undefined; chunk = await chunks.next()) yield* reader.push(chunk);
    yield* reader.flush();
    left = await exitOf(chunks, exit);
  } finally {
    await chunks.close();
  }
  if (chunks.failure !== undefined) yield* order.take([unreadable(chunks.failure)]);
  const wasReported = order.hasOutcome;
  yield* reader.end(left);
  yield order.complete(left, reader.counts, wasReported);
}

async function exitOf(chunks: ChunkReader, exit: ExitInfo | PromiseLike<ExitInfo>): Promise<ExitInfo> {
  const left = (await chunks.unlessAborted(exit).catch(() => undefined)) ?? UNKNOWN_EXIT;
  return chunks.aborted ? { ...left, aborted: true } : left;
}

function unreadable(failure: unknown) {
  const message = `the output could not be read: ${failure instanceof Error ? failure.message : String(failure)}`;
  return { type: 'error', message, fatal: false } as const;
}
