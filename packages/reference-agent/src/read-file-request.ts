import { ControlError, type RequestHandler } from '@proto/core';
import type { ReferenceSession } from './thread.ts';
import type { ToolResult } from './tools/tool.ts';

/** What is shown where the host does not say how much. */
const DEFAULT_MAX_BYTES = 1024 * 1024;

/** Serves `read_file`: the text of a file for the host's user, as far as the tool `Read` may read it without a question. */
export function readFileRequest({ permissions, ownTool }: ReferenceSession): RequestHandler {
  return async ({ path, max_bytes: max = DEFAULT_MAX_BYTES, encoding = 'utf-8' }, { signal }) => {
    const read = ownTool('Read');
    if (typeof path !== 'string' || typeof max !== 'number' || encoding !== 'utf-8' || read === undefined) {
      throw new ControlError('read denied: only texts are read, by their path', { code: 'invalid_request' });
    }
    const input = { file_path: path };
    const absPath = (await read.pathOf?.(input)) ?? path;
    const { behavior } = permissions.check(read, input, absPath);
    if (behavior !== 'allow') throw new ControlError(`read denied: ${path} is not among what may be read`);
    const { output } = await (read.run(input, { toolUseID: '', signal }) as Promise<ToolResult>);
    const bytes = new TextEncoder().encode(textIn(output));
    const truncated = bytes.length > max;
    return { contents: new TextDecoder().decode(bytes.subarray(0, max)), absPath, ...(truncated && { truncated }) };
  };
}

function textIn(output: unknown): string {
  const { file } = output as { readonly file: { readonly content: string } };
  return file.content;
}
