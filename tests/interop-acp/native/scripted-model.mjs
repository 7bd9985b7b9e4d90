import { setTimeout as delay } from 'node:timers/promises';

const PAUSE_MS = 300;

/** The steps of a reply, by the first word of a line of the prompt. Each function gets the rest of the line, and the prompt as JSON. */
const ORDERS = {
  say: (text) => text.split(/(?= )/),
  think: (text) => [{ type: 'thinking', thinking: text, signature: 'signed' }],
  repeat: (count) => ['a'.repeat(Number(count))],
  describe: (_rest, prompt) => [prompt],
  pause: () => ['it begins', { wait: delay(PAUSE_MS) }],
  begin: () => ['it begins', { wait: new Promise(() => {}) }],
  run: (command) => call('Bash', { command, description: 'a command' }),
  read: (path) => call('Read', { file_path: path }),
  write(rest) {
    const [path, content] = words(rest);
    return call('Write', { file_path: path, content });
  },
  ask(rest) {
    const [question, ...labels] = rest.split('|');
    const options = labels.map((label) => ({ label, description: `the answer ${label}` }));
    return call('AskUserQuestion', { questions: [{ question, header: 'A question', multiSelect: false, options }] });
  },
  propose: (plan) => call('ExitPlanMode', { plan }),
  delegate: (prompt) =>
    call('Agent', { description: 'a subagent', subagent_type: 'general-purpose', prompt, run_in_background: false }),
};

/**
 * A model that does what the prompt says. Each line that begins with one of the words above adds steps to the reply. The line `fail STATUS` refuses
 * the request.
 */
export function replyTo({ body }) {
  // The agent asks for titles, and checks the name of a model, without tools.
  if ((body.tools ?? []).length === 0) return body.max_tokens === 1 ? 'yes' : '{"title":"a title"}';
  // What the agent itself adds has the role `system`, or is in texts before the prompt.
  const { content: blocks } = body.messages.findLast(({ role }) => role === 'user');
  if (typeof blocks !== 'string' && blocks.some(({ type }) => type === 'tool_result')) return 'that is done';
  const texts = typeof blocks === 'string' ? [blocks] : blocks.flatMap(({ text }) => text ?? []);
  const lines = texts.map((text) => text.split('\n').map(words).filter(isOrder));
  const orders = lines.findLast((found) => found.length > 0) ?? [];
  const failure = orders.find(([word]) => word === 'fail');
  if (failure !== undefined) return { status: Number(failure[1]) };
  const content = orders.flatMap(([word, rest]) => ORDERS[word](rest, JSON.stringify(blocks)));
  return content.length > 0 ? { content } : 'what should I do?';
}

/** The first word of a text, and the rest. */
function words(text) {
  const [word, ...rest] = text.split(' ');
  return [word, rest.join(' ')];
}

const isOrder = ([word]) => word === 'fail' || Object.hasOwn(ORDERS, word);

function call(name, input) {
  return [{ type: 'tool_use', name, input }];
}
