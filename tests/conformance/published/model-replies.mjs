// A model that follows the prompts of conformance/prompts/model.json, for a scripted Messages API.
import { setTimeout as delay } from 'node:timers/promises';
import { readFileSync } from 'node:fs';

const prompts = JSON.parse(readFileSync(new URL('../../../conformance/prompts/model.json', import.meta.url), 'utf8'));
const SLOW_STEPS = 200;
const BRIEF_STEPS = 15;
const STEP_MS = 100;
const BIG_CHARACTERS = 120_000;

/**
 * The reply to a request: what the last prompt of the conversation asks for, after the tool results that have come since.
 * @param {import('@proto/testkit').ApiRequest} request
 */
export function replyTo({ body }) {
  // The agent checks the name of a model with a request for one token.
  if (body.max_tokens === 1) return 'yes';
  const { name, results, text } = lastPrompt(body.messages);
  const structured = body.tools?.find((tool) => tool.name === 'StructuredOutput');
  if (results === 0 && structured !== undefined)
    return { content: [{ type: 'tool_use', name: structured.name, input: valueOf(structured.input_schema) }] };
  return replies[name]?.(results, body, text) ?? 'hello';
}

/**
 * The name of the last prompt that is known, and how many tool results follow it.
 * @param {import('@proto/testkit').MessagesBody['messages']} messages
 */
function lastPrompt(messages) {
  let results = 0;
  for (const { role, content } of messages.toReversed()) {
    if (role !== 'user') continue;
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
    const text = blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
    // An agent joins the prompt of an interrupted turn and the next one.
    const found = Object.entries(prompts)
      .flatMap(([name, prompt]) =>
        typeof prompt === 'string' && prompt.length > 20 ? [{ name, at: text.lastIndexOf(prompt) }] : [],
      )
      .filter(({ at }) => at >= 0)
      .toSorted((one, other) => other.at - one.at)[0];
    if (found !== undefined) return { name: found.name, results, text };
    results += blocks.filter(({ type }) => type === 'tool_result').length;
  }
  return { name: 'text', results, text: '' };
}

/**
 * A value of a JSON Schema, as far as the cases use the words of schemas.
 * @param {any} schema
 * @returns {unknown}
 */
function valueOf({ type, enum: values, properties = {}, items }) {
  if (values !== undefined) return values[0];
  if (type === 'object')
    return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, valueOf(schema)]));
  if (type === 'array') return [valueOf(items)];
  if (type === 'boolean') return true;
  return type === 'string' ? 'hello' : 5;
}

const bash = (command, more = {}) => ({
  type: 'tool_use',
  name: 'Bash',
  input: { command, description: 'Runs it', ...more },
});
const add = (a, b) => ({ type: 'tool_use', name: 'mcp__conformance__add', input: { a, b } });
const ECHO = 'echo conformance-one | tee -a conformance.txt';
const inSteps = (steps) =>
  Array.from({ length: steps }, (_, at) => [
    { wait: delay(at * STEP_MS, undefined, { ref: false }) },
    `number ${at}, `,
  ]).flat();
const unlessDone = (calls, content) => (results) => (results < calls ? { content } : 'done');

/** @type {Record<string, (results: number, body: import('@proto/testkit').MessagesBody, text: string) => unknown>} */
const replies = {
  // The agent adds reminders to a prompt.
  echo: (_results, _body, text) =>
    text
      .slice(text.lastIndexOf(prompts.echo) + prompts.echo.length)
      .split('<system-reminder>')[0]
      .trim(),
  unicode: () => 'one\u2028two\u2028three',
  variable: unlessDone(1, [bash('echo "[$CONFORMANCE_VARIABLE]"')]),
  big: () => 'a'.repeat(BIG_CHARACTERS),
  remember: () => 'ok',
  recall: (_results, { messages }) =>
    JSON.stringify(messages).includes('Remember the word zebrafish') ? 'zebrafish' : 'I do not know',
  elicitation: unlessDone(1, [{ type: 'tool_use', name: 'mcp__asker__ask', input: {} }]),
  slow: () => ({ content: inSteps(SLOW_STEPS) }),
  // Cases send requests while this reply is being sent.
  brief: () => ({ content: inSteps(BRIEF_STEPS) }),
  tool: unlessDone(1, [bash(ECHO)]),
  'two-tools': unlessDone(2, [bash(ECHO)]),
  'failing-tool': unlessDone(1, [bash('exit 3')]),
  'slow-tool': unlessDone(1, [bash('sleep 20')]),
  'mcp-tool': unlessDone(1, [add(1, 2)]),
  'mcp-odd-tool': unlessDone(1, [{ ...add(1, 2), name: 'mcp__conformance__add__all' }]),
  'parallel-mcp-tools': unlessDone(2, [add(1, 2), add(3, 4)]),
  subagent: (results, { tools = [] }) => {
    const name = ['Agent', 'Task'].find((candidate) => tools.some((tool) => tool.name === candidate)) ?? 'Agent';
    const input = {
      description: 'Says hello',
      subagent_type: 'general-purpose',
      prompt: 'Reply with the single word: hello.',
    };
    return results < 1 ? { content: [{ type: 'tool_use', name, input }] } : 'done';
  },
  background: unlessDone(1, [bash('sleep 1', { run_in_background: true })]),
  'long-background': unlessDone(1, [bash('sleep 20', { run_in_background: true })]),
};
