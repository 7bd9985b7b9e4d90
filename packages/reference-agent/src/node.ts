import { createBash, DEFAULT_COMMAND_TIMEOUT_MS, DEFAULT_MAX_OUTPUT_BYTES } from './node/bash.ts';
import { createRead, createWrite, DEFAULT_MAX_FILE_BYTES } from './node/files.ts';
import type { Tool } from './tools/tool.ts';

export { DEFAULT_COMMAND_TIMEOUT_MS, DEFAULT_MAX_FILE_BYTES, DEFAULT_MAX_OUTPUT_BYTES };

/** Where the tools of this machine work, and what they are held to. */
export interface NodeToolsOptions {
  /** Default: the working directory of the process. */
  readonly cwd?: string;
  /** Default `DEFAULT_MAX_FILE_BYTES`. */
  readonly maxFileBytes?: number;
  /** Default `DEFAULT_MAX_OUTPUT_BYTES`. */
  readonly maxOutputBytes?: number;
  /** Default `DEFAULT_COMMAND_TIMEOUT_MS`. */
  readonly commandTimeoutMs?: number;
}

/** The tools of this machine: its files, and its shell. What they do is done: whoever runs them decides on permissions. */
export function createNodeTools(options: NodeToolsOptions = {}): readonly Tool[] {
  const { cwd = process.cwd(), maxFileBytes = DEFAULT_MAX_FILE_BYTES } = options;
  const { maxOutputBytes = DEFAULT_MAX_OUTPUT_BYTES, commandTimeoutMs = DEFAULT_COMMAND_TIMEOUT_MS } = options;
  return [
    createBash({ cwd, maxOutputBytes, commandTimeoutMs }),
    createRead(cwd, maxFileBytes),
    createWrite(cwd, maxFileBytes),
  ];
}
