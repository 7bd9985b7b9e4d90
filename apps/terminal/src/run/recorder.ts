import { closeSync, writeSync } from 'node:fs';
import type { Transport } from '@proto/core/transport';
import { createRedactor, recordTransport } from '@proto/recording';
import { openPrivateFile } from '@proto/recording/node';

/** The recording of one run in a file. */
export interface Recorder {
  /** Wraps a transport. Use the result instead of that transport. */
  record(transport: Transport): Transport;
  /** Closes the file. Returns a line for people that describes the recording. */
  end(): string;
}

/**
 * Creates the file of a recording, which only its owner can read. Each line is written immediately, so that a crash loses no lines. Secrets,
 * including the secrets in `env`, are removed unless `isRedacted` is false.
 *
 * @throws the error of the file system if the file cannot be written.
 */
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
      // The recording ends here, but the run continues.
      failure = error as Error;
    }
  };
  return {
    record: (transport) =>
      recordTransport(transport, { side: 'host', write, redactor: isRedacted && createRedactor({ env }) }),
    end() {
      closeSync(descriptor);
      if (failure !== undefined) return `the recording ${file} is incomplete: ${failure.message}`;
      return `recording ${file} (${lines} lines, ${isRedacted ? 'redacted' : 'including secrets'})`;
    },
  };
}
