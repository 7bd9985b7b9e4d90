import type { ToolResult } from './tool.ts';

/** The result of reading a file: numbered lines for the model, the text for hosts. */
export function readResult(filePath: string, content: string): ToolResult {
  const lines = content.split('\n');
  const file = { filePath, content, numLines: lines.length, startLine: 1, totalLines: lines.length };
  return { content: lines.map((line, n) => `${n + 1}\t${line}`).join('\n'), output: { type: 'text', file } };
}

/** The result of writing a file. `before` is the earlier text of the file, if there was one. */
export function writeResult(filePath: string, content: string, before: string | undefined): ToolResult {
  const type = before === undefined ? 'create' : 'update';
  const output = { type, filePath, content, structuredPatch: [], originalFile: before ?? null, userModified: false };
  return { content: `${before === undefined ? 'Created' : 'Replaced'} ${filePath}.`, output };
}

export interface CommandEnd {
  /** The text of stdout and stderr, in the order of arrival. */
  readonly output: string;
  readonly code: number;
}

/** The result of a command. @throws {Error} for a command with an exit code other than 0. Its message is the text of the failed call. */
export function commandResult({ output, code }: CommandEnd): ToolResult {
  const text = output.replace(/\n+$/, '');
  if (code !== 0) throw new Error([`Exit code ${code}`, text].filter((part) => part !== '').join('\n'));
  return {
    content: text === '' ? '(The command gave no output.)' : text,
    output: { stdout: text, stderr: '', interrupted: false, isImage: false, noOutputExpected: false },
  };
}
