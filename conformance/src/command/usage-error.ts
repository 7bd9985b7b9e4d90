import { readFile } from 'node:fs/promises';

export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** @throws {@link UsageError} if the file cannot be read */
export async function readOption(what: string, file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new UsageError(`${what} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}
