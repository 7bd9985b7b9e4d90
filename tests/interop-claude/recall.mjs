// An agent for `sjp-agent --module` that answers with all texts and tool results that it knows, including those from an earlier process.
const textsOf = ({ message: { content } }) =>
  typeof content === 'string' ? content : content.map(({ text, content: result }) => text ?? result ?? '');

export default async function* ({ history }) {
  const text = JSON.stringify(history.flatMap(textsOf));
  yield {
    type: 'assistant',
    message: { id: crypto.randomUUID(), type: 'message', role: 'assistant', content: [{ type: 'text', text }] },
    parent_tool_use_id: null,
  };
}
