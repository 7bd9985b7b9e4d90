type Members = Readonly<Record<string, unknown>>;

/** Returns `undefined` if the API would accept the request. Credentials are not checked. */
export function problemOf(body: Members, headers: Headers): string | undefined {
  if (!headers.has('anthropic-version')) return 'the header anthropic-version is missing';
  const { model, max_tokens: maxTokens, messages, tools } = body;
  if (typeof model !== 'string' || model === '') return 'model: a name is required';
  if (!Number.isInteger(maxTokens) || Number(maxTokens) < 1) return 'max_tokens: a whole number above 0 is required';
  if (!Array.isArray(messages) || messages.length === 0) return 'messages: at least one message is required';
  return shapeProblem(messages) ?? toolProblem(messages) ?? namesProblem(tools);
}

function shapeProblem(messages: readonly unknown[]): string | undefined {
  for (const [n, message] of messages.entries()) {
    const { role, content } = Object(message) as Members;
    if (role !== 'user' && role !== 'assistant' && role !== 'system') return `messages.${n}.role: unknown role`;
    if (typeof content === 'string') continue;
    if (!Array.isArray(content)) return `messages.${n}.content: a string or a list of blocks is required`;
    for (const [m, block] of content.entries()) {
      const { type, text } = Object(block) as Members;
      if (typeof type !== 'string') return `messages.${n}.content.${m}.type: a block needs a type`;
      if (type === 'text' && (typeof text !== 'string' || text === '')) {
        return `messages.${n}.content.${m}.text: a text block may not be empty`;
      }
    }
  }
  return undefined;
}

/** Checks that each tool call has a result in the next message, and that each result has a call in the previous message. */
function toolProblem(messages: readonly unknown[]): string | undefined {
  let open: readonly string[] = [];
  const known = new Set<string>();
  for (const blocks of turnsOf(messages)) {
    const results = members(blocks, 'tool_result', 'tool_use_id');
    const missing = open.find((id) => !results.includes(id));
    if (missing !== undefined) return `messages: no tool_result for the tool_use ${missing}`;
    const stray = results.find((id) => !open.includes(id));
    if (stray !== undefined) return `messages: the tool_result ${stray} has no tool_use before it`;
    open = members(blocks, 'tool_use', 'id');
    const twice = open.find((id, n) => known.has(id) || open.indexOf(id) !== n);
    if (twice !== undefined) return `messages: the tool_use id ${twice} occurs twice`;
    for (const id of open) known.add(id);
  }
  return open[0] === undefined ? undefined : `messages: no tool_result for the tool_use ${open[0]}`;
}

/** The API treats consecutive messages of the same role as one turn, and ignores `system` messages for this check. */
function turnsOf(messages: readonly unknown[]): readonly (readonly Members[])[] {
  const turns: Members[][] = [];
  let last: unknown;
  for (const { role, content } of messages as readonly Members[]) {
    if (role === 'system') continue;
    if (role !== last) turns.push([]);
    last = role;
    if (Array.isArray(content)) turns.at(-1)?.push(...(content as Members[]));
  }
  return turns;
}

function members(blocks: readonly Members[], type: string, name: string): string[] {
  return blocks.filter((block) => block['type'] === type).map((block) => block[name] as string);
}

function namesProblem(tools: unknown): string | undefined {
  const names = (Array.isArray(tools) ? tools : []).map((tool) => (Object(tool) as Members)['name'] as string);
  const twice = names.find((name, n) => names.indexOf(name) !== n);
  return twice === undefined ? undefined : `tools: the name ${twice} occurs twice`;
}
