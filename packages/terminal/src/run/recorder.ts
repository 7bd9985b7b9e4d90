import { closeSync, writeSync } from 'node:fs';
import type { Transport } from '@proto/core/transport';
import { createRedactor, recordTransport } from '@proto/recording';
import { openPrivateFile } from './private-file.ts';

/** Records one run into a file. */
export interface Recorder {
  /** The transport to use in place of the given one. */
  record(transport: Transport): Transport;
  /** Closes the file. Gives what is to be said about it. */
  end(): string;
}

/** Makes the file, which nobody else may read, or throws. What it holds so far is there when this process dies. */
export function createRecorder(
  file: string,
  isRedacted = true,
  env: Readonly<Record<string, string | undefined>> = {},
): Recorder {
  const descriptor = openPrivateFile(file);
  let lines = 0;
  let failure: Error | undefined;
  const write = (line: string) => {
    if (failure !== undefined) return;
    try {
      writeSync(descriptor, line);
      lines++;
    } catch (error) {
      // The run is worth more than its recording, which ends here.
      failure = error as Error;
    }
  };
  return {
    record: (transport) =>
      recordTransport(transport, { side: 'host', write, redactor: isRedacted && createRedactor({ env }) }),
    end() {
      closeSync(descriptor);
      if (failure !== undefined) return `sjp run: the recording ${file} broke off: ${failure.message}`;
      return `recording ${file} (${lines} lines, ${isRedacted ? 'redacted' : 'with all secrets'})`;
    },
  };
}
