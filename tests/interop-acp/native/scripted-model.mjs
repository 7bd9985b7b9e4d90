/** A model that does what the prompt says: `say TEXT`, `run COMMAND`, `write FILE TEXT`, `read FILE` or `begin`, which begins an answer without an end. */
export function replyTo({ body }) {
  // The agent asks for titles, and checks the name of a model, without tools.
  if ((body.tools ?? []).length === 0) return body.max_tokens === 1 ? 'yes' : '{"title":"a title"}';
  // What the agent itself adds has the role `system`, or is in texts before the prompt.
  const { content: blocks } = body.messages.findLast(({ role }) => role === 'user');
  if (typeof blocks !== 'string' && blocks.some(({ type }) => type === 'tool_result')) return 'that is done';
  const texts = typeof blocks === 'string' ? [blocks] : blocks.flatMap(({ text }) => text ?? []);
  const orders = texts.flatMap((text) => /^(say|run|write|read|begin)(?: (.*))?$/m.exec(text) ?? []);
  const [, word, rest = ''] = orders.slice(-3);
  const [path, ...words] = rest.split(' ');
  switch (word) {
    case 'say':
      return { content: rest.split(/(?= )/) };
    case 'run':
      return call('Bash', { command: rest, description: 'a command' });
    case 'write':
      return call('Write', { file_path: path, content: words.join(' ') });
    case 'read':
      return call('Read', { file_path: path });
    case 'begin':
      return { content: ['it begins', { wait: new Promise(() => {}) }] };
    default:
      return 'what should I do?';
  }
}

function call(name, input) {
  return { content: [{ type: 'tool_use', name, input }] };
}
