// A model on this machine that answers three interfaces: chat completions, responses and generated content. A prompt that contains RUN makes the model
// call the shell once, a prompt that contains WAIT gets a reply that does not end, and any other prompt gets a greeting.
export const GREETING = 'hello there';
export const COMMAND = 'echo made > made.txt';
const SHELLS = ['bash', 'run_shell_command', 'exec_command', 'shell_command', 'shell'];

/** @typedef {{ readonly text: string } | { readonly call: { readonly name: string, readonly args: object } } | { readonly wait: true }} Decision */

/**
 * The response to a request of an agent.
 * @param {Request} request
 * @returns {Promise<Response>}
 */
export async function answer(request) {
  const { pathname } = new URL(request.url);
  if (request.method !== 'POST') return Response.json({ object: 'list', data: [{ id: 'scripted', object: 'model' }] });
  const body = await request.json();
  if (pathname.endsWith('/chat/completions')) return completion(body);
  if (pathname.endsWith('/responses')) return response(body);
  if (pathname.includes(':countTokens')) return Response.json({ totalTokens: 1 });
  return content(body, pathname.includes(':stream'));
}

/**
 * @param {string} text the last prompt
 * @param {boolean} hasResult whether a tool result follows the prompt
 * @param {readonly { readonly name: string, readonly properties: Readonly<Record<string, { readonly type?: unknown }>> }[]} tools
 * @returns {Decision}
 */
function decide(text, hasResult, tools) {
  const shell = tools.find(({ name }) => SHELLS.includes(name));
  if (text.includes('WAIT')) return { wait: true };
  if (hasResult || !text.includes('RUN') || shell === undefined) return { text: GREETING };
  const { properties } = shell;
  const description = 'Makes a file';
  // This agent asks for permission only if the model wants to leave the sandbox.
  const outside = { sandbox_permissions: 'require_escalated', justification: 'May I make a file?' };
  if (properties['cmd'] !== undefined) return { call: { name: shell.name, args: { cmd: COMMAND, ...outside } } };
  const isList = properties['command']?.type === 'array';
  const command = isList ? ['bash', '-c', COMMAND] : COMMAND;
  const more = properties['is_background'] === undefined ? {} : { is_background: false };
  return { call: { name: shell.name, args: { command, ...(properties['description'] && { description }), ...more } } };
}

/** Server-sent events. A decision to wait leaves the stream open. @param {readonly string[]} parts @param {boolean} isOpen */
function stream(parts, isOpen) {
  const body = new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(new TextEncoder().encode(`${part}\n\n`));
      if (!isOpen) controller.close();
    },
  });
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
}

const data = (/** @type {unknown} */ value) => `data: ${JSON.stringify(value)}`;
const textOf = (/** @type {any} */ content) =>
  typeof content === 'string' ? content : (content ?? []).map((/** @type {any} */ part) => part.text ?? '').join('\n');

/** @param {any} body */
function completion({ messages, tools = [], stream: isStream }) {
  const at = messages.findLastIndex((/** @type {any} */ { role }) => role === 'user');
  const hasResult = messages.slice(at).some((/** @type {any} */ { role }) => role === 'tool');
  const known = tools.map((/** @type {any} */ { function: { name, parameters } }) => ({
    name,
    properties: parameters?.properties ?? {},
  }));
  const decision = decide(textOf(messages[at]?.content), hasResult, known);
  const head = { id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'scripted' };
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  const chunk = (/** @type {object} */ delta, /** @type {string | null} */ reason = null) =>
    data({ ...head, choices: [{ index: 0, delta, finish_reason: reason }] });
  if ('wait' in decision) return stream([chunk({ role: 'assistant', content: 'wait' })], true);
  const call = 'call' in decision ? decision.call : undefined;
  const made = call && {
    id: `call_${messages.length}`,
    type: 'function',
    function: { name: call.name, arguments: JSON.stringify(call.args) },
  };
  const message = made
    ? { role: 'assistant', content: null, tool_calls: [made] }
    : { role: 'assistant', content: GREETING };
  const reason = made ? 'tool_calls' : 'stop';
  if (isStream !== true)
    return Response.json({
      ...head,
      object: 'chat.completion',
      choices: [{ index: 0, message, finish_reason: reason }],
      usage,
    });
  const delta = made ? { ...message, tool_calls: [{ ...made, index: 0 }] } : message;
  return stream([chunk(delta), chunk({}, reason), data({ ...head, choices: [], usage }), 'data: [DONE]'], false);
}

/** @param {any} body */
function response({ input, tools = [] }) {
  const at = input.findLastIndex((/** @type {any} */ { role, type }) => role === 'user' && type === 'message');
  const hasResult = input.slice(at).some((/** @type {any} */ { type }) => type === 'function_call_output');
  const known = tools.map((/** @type {any} */ { name, parameters }) => ({
    name,
    properties: parameters?.properties ?? {},
  }));
  const decision = decide(textOf(input[at]?.content), hasResult, known);
  const event = (/** @type {string} */ type, /** @type {object} */ more) =>
    `event: ${type}\n${data({ type, ...more })}`;
  const created = event('response.created', { response: { id: 'r1' } });
  const message = { type: 'message', role: 'assistant', id: 'm1', content: [{ type: 'output_text', text: GREETING }] };
  if ('wait' in decision) {
    const added = event('response.output_item.added', { item: { ...message, content: [] } });
    return stream([created, added, event('response.output_text.delta', { delta: 'wait' })], true);
  }
  const item =
    'call' in decision
      ? {
          type: 'function_call',
          call_id: `call_${input.length}`,
          name: decision.call.name,
          arguments: JSON.stringify(decision.call.args),
        }
      : message;
  const usage = {
    input_tokens: 1,
    input_tokens_details: null,
    output_tokens: 1,
    output_tokens_details: null,
    total_tokens: 2,
  };
  return stream(
    [
      created,
      event('response.output_item.done', { item }),
      event('response.completed', { response: { id: 'r1', usage } }),
    ],
    false,
  );
}

/** @param {any} body @param {boolean} isStream */
function content({ contents, tools = [], generationConfig = {} }, isStream) {
  const last = contents.at(-1)?.parts ?? [];
  const hasResult = last.some((/** @type {any} */ part) => part.functionResponse !== undefined);
  const known = tools.flatMap(({ functionDeclarations = [] }) =>
    functionDeclarations.map((/** @type {any} */ { name, parameters, parametersJsonSchema }) => ({
      name,
      properties: (parameters ?? parametersJsonSchema)?.properties ?? {},
    })),
  );
  const decision = decide(textOf(last), hasResult, known);
  const isJson = generationConfig.responseMimeType === 'application/json';
  const text = isJson ? '{}' : 'text' in decision ? decision.text : 'wait';
  const part = 'call' in decision ? { functionCall: { name: decision.call.name, args: decision.call.args } } : { text };
  const whole = (/** @type {object} */ more) => ({
    candidates: [{ content: { role: 'model', parts: [part] }, index: 0, ...more }],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
    modelVersion: 'scripted',
  });
  if ('wait' in decision && isStream) return stream([data(whole({}))], true);
  return isStream
    ? stream([data(whole({ finishReason: 'STOP' }))], false)
    : Response.json(whole({ finishReason: 'STOP' }));
}
