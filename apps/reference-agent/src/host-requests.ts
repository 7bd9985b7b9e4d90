import { ControlError, type RequestHandler } from '@proto/core';
import type { ToolResult } from './tools/tool.ts';
import type { ReferenceSession } from './turns/turn-context.ts';
import { CONTEXT_WINDOW } from './turns/usage.ts';

const DEFAULT_MAX_FILE_BYTES = 1024 * 1024;

/** Answers `read_file` with the text of a file for the host's user. Only files that the tool `Read` may read without asking are returned. */
export function readFileRequest({ permissions, ownTool }: ReferenceSession): RequestHandler {
  return async ({ path, max_bytes: max = DEFAULT_MAX_FILE_BYTES, encoding = 'utf-8' }, { signal }) => {
    const read = ownTool('Read');
    if (typeof path !== 'string' || typeof max !== 'number' || encoding !== 'utf-8' || read === undefined) {
      throw new ControlError('read denied: only text files can be read, and the request must give a path', {
        code: 'invalid_request',
      });
    }
    const input = { file_path: path };
    const absPath = (await read.pathOf?.(input)) ?? path;
    const { behavior } = permissions.check(read, input, absPath);
    if (behavior !== 'allow') throw new ControlError(`read denied: ${path} may not be read`);
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

// Hosts draw the context as a grid of squares, one for each hundredth of the window.
const SQUARES_PER_ROW = 10;
const SQUARES = 100;

/** Answers host requests for the usage of a session. */
export function usageRequests({ usage }: Pick<ReferenceSession, 'usage'>): Readonly<Record<string, RequestHandler>> {
  const startedAt = performance.now();
  return {
    get_context_usage: () => contextUsage(usage),
    get_session_cost: () => ({ text: `Total cost: $${usage.costUsd.toFixed(4)}` }),
    get_usage: () => ({
      session: {
        total_cost_usd: usage.costUsd,
        total_api_duration_ms: 0,
        total_duration_ms: Math.round(performance.now() - startedAt),
        total_lines_added: 0,
        total_lines_removed: 0,
        model_usage: usage.byModel(),
      },
      // The agent has no account, so it has no rate limits.
      subscription_type: null,
      rate_limits_available: false,
      rate_limits: null,
      behaviors: null,
    }),
  };
}

/** Computes the usage of the context window. Every token that was used counts as still being in the context window. */
function contextUsage({ total, model }: ReferenceSession['usage']) {
  const used = Math.min(total.input_tokens + total.output_tokens, CONTEXT_WINDOW);
  const messages = { id: 'messages', name: 'Messages', tokens: used, color: 'purple', kind: 'used' };
  const free = { id: 'free_space', name: 'Free space', tokens: CONTEXT_WINDOW - used, color: 'inactive', kind: 'free' };
  const percentage = Math.round((used / CONTEXT_WINDOW) * 100);
  const squares = Array.from({ length: SQUARES }, (_, index) => {
    const fullness = Math.min(Math.max((used / CONTEXT_WINDOW) * SQUARES - index, 0), 1);
    const { name: categoryName, color, tokens } = fullness > 0 ? messages : free;
    const share = Math.round((tokens / CONTEXT_WINDOW) * 100);
    return { color, isFilled: true, categoryName, tokens, percentage: share, squareFullness: fullness || 1 };
  });
  return {
    categories: [messages, free],
    totalTokens: used,
    maxTokens: CONTEXT_WINDOW,
    rawMaxTokens: CONTEXT_WINDOW,
    percentage,
    gridRows: Array.from({ length: SQUARES / SQUARES_PER_ROW }, (_, row) =>
      squares.slice(row * SQUARES_PER_ROW, (row + 1) * SQUARES_PER_ROW),
    ),
    model,
    memoryFiles: [],
    mcpTools: [],
    agents: [],
    isAutoCompactEnabled: false,
    apiUsage: used === 0 ? null : { ...total, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 },
  };
}
