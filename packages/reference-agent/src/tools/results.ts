import type { ToolResult } from './tool.ts';

/** What a read file is told as: its lines with their numbers for the model, the text for hosts. */
export function readResult(filePath: string, content: string): ToolResult {
  const lines = content.split('\n');
  const file = { filePath, content, numLines: lines.length, startLine: 1, totalLines: lines.length };
  return { content: lines.map((line, n) => `${n + 1}\t${line}`).join('\n'), output: { type: 'text', file } };
}

/** What a written file is told as; `before` is what it held, where there was one. */
export function writeResult(filePath: string, content: string, before: string | undefined): ToolResult {
  const type = before === undefined ? 'create' : 'update';
  const output = { type, filePath, content, structuredPatch: [], originalFile: before ?? null, userModified: false };
  return { content: `${before === undefined ? 'Created' : 'Replaced'} ${filePath}.`, output };
}

/** How a command ended. */
export interface CommandEnd {
  /** Both of its streams, as they came. */
  readonly output: string;
  readonly code: number;
}

/** What a command that ran is told as; throws what a failed one is told as. */
export function commandResult({ output, code }: CommandEnd): ToolResult {
  const text = output.replace(/\n+$/, '');
  if (code !== 0) throw new Error([`Exit code ${code}`, text].filter((part) => part !== '').join('\n'));
  return {
    content: text === '' ? '(The command gave no output.)' : text,
    output: { stdout: text, stderr: '', interrupted: false, isImage: false, noOutputExpected: false },
  };
}
