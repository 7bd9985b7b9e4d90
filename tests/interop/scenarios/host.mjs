// Functions that all scenarios of the SDK use.

/** The options that make a query start the built agent. */
export const options = { pathToClaudeCodeExecutable: process.argv[3] };

/** Creates a prompt in the form that the SDK takes. */
export const user = (text, members) => ({
  type: 'user',
  message: { role: 'user', content: text },
  parent_tool_use_id: null,
  session_id: '',
  ...members,
});
/** Returns the part of a text that a partial message has. */
export const pieceOf = ({ type, event }) =>
  type === 'stream_event' && event.delta?.type === 'text_delta' ? event.delta.text : '';

/** Creates a list of prompts to which prompts can be added while the query runs. */
export function prompts() {
  const waiting = [];
  let wake = () => {};
  let ended = false;
  return {
    add(text, members) {
      waiting.push(user(text, members));
      wake();
    },
    /** Creates a list that has one prompt and has ended. */
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

/** Collects all messages of a query, and calls `onMessage` with each as it arrives. */
export async function collect(messages, onMessage = async () => {}) {
  const seen = [];
  for await (const message of messages) {
    seen.push(message);
    await onMessage(message, seen);
  }
  return seen;
}

/** Collects all messages of a query, followed by the error that the SDK threw. */
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
