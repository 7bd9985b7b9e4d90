import type { Writable } from 'node:stream';
import { encodeLine, type WireMessage } from '@proto/core/framing';

/** What is written to stdout: `text` for people, `json` for the last result, `ndjson` for every message, `final` for the text of the last result. */
export type RunFormat = 'text' | 'json' | 'ndjson' | 'final';

/** The output for the messages of a session. */
export interface RunOutput {
  message(message: WireMessage): void;
  /** Called after the last message. */
  end(): void;
}

/** Writes every message as a line. */
export function createNdjsonOutput(output: Writable): RunOutput {
  return { message: (message) => void output.write(encodeLine(message)), end() {} };
}

/** Writes only the last result, as JSON or as its text. */
export function createResultOutput(output: Writable, format: 'json' | 'final'): RunOutput {
  let last: WireMessage | undefined;
  return {
    message(message) {
      if (message.type === 'result') last = message;
    },
    end() {
      if (last === undefined) return;
      const { result } = last as WireMessage & { result?: unknown };
      if (format === 'json') output.write(encodeLine(last));
      else if (typeof result === 'string') output.write(result.endsWith('\n') ? result : `${result}\n`);
    },
  };
}

/** Returns the text that a streamed message adds to the answer; empty for any other message. */
export function pieceOf(message: WireMessage): string {
  if (message.type !== 'stream_event') return '';
  const { type, delta } = message['event'] as { type?: unknown; delta?: { text?: unknown } };
  return type === 'content_block_delta' && typeof delta?.text === 'string' ? delta.text : '';
}
