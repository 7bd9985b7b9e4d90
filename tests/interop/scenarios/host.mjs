// What every scenario of the SDK is made with.

/** The built agent, as the first option of each query. */
export const options = { pathToClaudeCodeExecutable: process.argv[3] };

/** A prompt as the SDK takes it. */
export const user = (text, members) => ({
  type: 'user',
  message: { role: 'user', content: text },
  parent_tool_use_id: null,
  session_id: '',
  ...members,
});
/** The piece of a text that a message streams. */
export const pieceOf = ({ type, event }) =>
  type === 'stream_event' && event.delta?.type === 'text_delta' ? event.delta.text : '';

/** Prompts that are added while the query runs. */
export function prompts() {
  const waiting = [];
  let wake = () => {};
  let ended = false;
  return {
    add(text, members) {
      waiting.push(user(text, members));
      wake();
    },
    /** With one prompt, and ended. */
    with(text) {
      this.add(text);
      this.end();
      return this;
    },
    end() {
      ended = true;
      wake();
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        while (waiting.length > 0) yield waiting.shift();
        if (ended) return;
        await new Promise((resolve) => (wake = resolve));
      }
    },
  };
}

/** All messages of a query; `onMessage` sees each as it comes. */
export async function collect(messages, onMessage = async () => {}) {
  const seen = [];
  for await (const message of messages) {
    seen.push(message);
    await onMessage(message, seen);
  }
  return seen;
}

/** All messages of a query, and behind them what the SDK threw. */
export async function collectToEnd(messages, onMessage = async () => {}) {
  const seen = [];
  try {
    await collect(messages, async (message) => {
      seen.push(message);
      await onMessage(message);
    });
  } catch (error) {
    seen.push({ type: 'thrown', message: { content: [{ text: error.message }] } });
  }
  return seen;
}
