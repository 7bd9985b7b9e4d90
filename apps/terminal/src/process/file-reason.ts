import { getSystemErrorMap } from 'node:util';

const VERBS: Readonly<Record<string, string>> = { mkdir: 'create', scandir: 'read', unlink: 'remove' };

/**
 * Returns a description of why the system refused a file, such as `no such file or directory`. For any other error, returns its code or its message.
 */
export function fileReason(error: unknown): string {
  const { errno, code, message } = Object(error) as { errno?: unknown; code?: unknown; message?: unknown };
  const [, words] = (typeof errno === 'number' && getSystemErrorMap().get(errno)) || [];
  return words ?? String(code ?? message ?? error);
}

/** Returns the message of an error for people. An error about a file is a sentence, such as `cannot open notes.jsonl: no such file or directory`. */
export function messageFor(error: Error): string {
  const { path, syscall } = error as NodeJS.ErrnoException;
  if (path === undefined || syscall === undefined) return error.message;
  return `cannot ${VERBS[syscall] ?? syscall} ${path}: ${fileReason(error)}`;
}
