import { createBash, DEFAULT_COMMAND_TIMEOUT_MS, DEFAULT_MAX_OUTPUT_BYTES } from './node/bash.ts';
import { createRead, createWrite, DEFAULT_MAX_FILE_BYTES } from './node/files.ts';
import type { Tool } from './tools/tool.ts';

export { DEFAULT_COMMAND_TIMEOUT_MS, DEFAULT_MAX_FILE_BYTES, DEFAULT_MAX_OUTPUT_BYTES };

/** The folder and the limits of the tools. */
export interface NodeToolsOptions {
  /** The folder to which paths are relative, and in which commands run. Default: the working directory of the process. */
  readonly cwd?: string;
  /** The maximum size of a file that is read, in bytes. Default 262 144 (256 KiB). */
  readonly maxFileBytes?: number;
  /** How many bytes of the output of a command are kept. Default 131 072 (128 KiB). */
  readonly maxOutputBytes?: number;
  /** How long a command may take, in milliseconds, unless its call specifies another time. Default 120 000. */
  readonly commandTimeoutMs?: number;
}

/**
 * Creates tools for the files and the shell of this machine. These tools change the files of the machine, so the caller is responsible for
 * permissions.
 * @throws {RangeError} for a `commandTimeoutMs` that is not above 0.
 */
export function createNodeTools(options: NodeToolsOptions = {}): readonly Tool[] {
  const { cwd = process.cwd(), maxFileBytes = DEFAULT_MAX_FILE_BYTES } = options;
  const { maxOutputBytes = DEFAULT_MAX_OUTPUT_BYTES, commandTimeoutMs = DEFAULT_COMMAND_TIMEOUT_MS } = options;
  if (typeof commandTimeoutMs !== 'number' || !(commandTimeoutMs > 0)) {
    throw new RangeError(`commandTimeoutMs must be a number of milliseconds above 0, not ${commandTimeoutMs}`);
  }
  return [
    createBash({ cwd, maxOutputBytes, commandTimeoutMs }),
    createRead(cwd, maxFileBytes),
    createWrite(cwd, maxFileBytes),
  ];
}
