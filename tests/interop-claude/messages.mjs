/** Returns the kinds of messages, as `type` or `type/subtype`. */
export const kinds = (messages) => messages.map(({ type, subtype }) => (subtype ? `${type}/${subtype}` : type));

/** Returns the result among the messages; other messages may follow the result. */
export const resultOf = (messages) => messages.find(({ type }) => type === 'result');

/** Returns the tool results in the messages, in order. */
export const toolResults = (messages) =>
  messages
    .filter(({ type }) => type === 'user')
    .flatMap(({ message }) => (Array.isArray(message.content) ? message.content : []))
    .filter(({ type }) => type === 'tool_result')
    .map(({ content, is_error = false }) => ({
      text: typeof content === 'string' ? content : content[0].text,
      is_error,
    }));
