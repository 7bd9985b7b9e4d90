import { readFile } from 'node:fs/promises';

/** Thrown if an option cannot be used with the given value. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/**
 * Reads the file that an option names.
 *
 * @throws {@link UsageError} if the file cannot be read.
 */
export async function readOption(what: string, file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new UsageError(`${what} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}
