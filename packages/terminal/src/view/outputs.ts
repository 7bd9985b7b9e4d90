import type { Writable } from 'node:stream';
import { encodeLine, type WireMessage } from '@proto/core/framing';

/** What is written on stdout: what people read, the last result, every message, or the text of the last result. */
export type RunFormat = 'text' | 'json' | 'ndjson' | 'final';

/** Where the messages of a session go. */
export interface RunOutput {
  message(message: WireMessage): void;
  /** Nothing more comes. */
  end(): void;
}

/** Every message as a line. */
export function createNdjsonOutput(output: Writable): RunOutput {
  return { message: (message) => void output.write(encodeLine(message)), end() {} };
}

/** The last result alone: as JSON, or its text. */
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
