// Tools of the host, subagents, background tasks, and interrupts in the middle of them.
import { createSdkMcpServer, query, tool } from '@anthropic-ai/claude-agent-sdk';
import { z } from 'zod';
import { collect, options, prompts } from './host.mjs';

function lab(slow = async () => ({ content: [] })) {
  const text = (value) => ({ content: [{ type: 'text', text: value }] });
  return createSdkMcpServer({
    name: 'lab',
    version: '1.0.0',
    tools: [
      tool('add', 'Add two numbers', { a: z.number(), b: z.number() }, async ({ a, b }) => text(String(a + b))),
      tool('fail', 'Always fails', {}, async () => {
        throw new Error('tool broke');
      }),
      tool('slow', 'Takes a while', {}, slow),
    ],
  });
}

const allowedTools = ['mcp__lab', 'Bash'];

/** Interrupts when a message matches, and then sends another prompt. */
async function interrupted(prompt, matches, members) {
  const input = prompts();
  input.add(prompt);
  const running = query({ prompt: input, options: { ...options, allowedTools, ...members } });
  return collect(running, async (message) => {
    if (matches(message)) await running.interrupt();
    if (message.type !== 'result') return;
    if (message.subtype === 'success') input.end();
    else input.add('/echo still here');
  });
}

const isCall = ({ type, message }) => type === 'assistant' && message.content[0]?.type === 'tool_use';

export const tools = {
  'tools of the host': () =>
    collect(
      query({
        prompt: '/mcp lab add {"a":2,"b":3}\n/mcp lab fail\n/mcp lab add {"a":"x"}',
        options: { ...options, allowedTools, mcpServers: { lab: lab() } },
      }),
    ),

  async 'prompts of the host'() {
    const server = lab();
    const say = ({ what }) => ({ messages: [{ role: 'user', content: { type: 'text', text: `/echo ${what}` } }] });
    server.instance.registerPrompt('say', { description: 'Says it', argsSchema: { what: z.string() } }, say);
    const input = prompts();
    input.add('/mcp__lab__say hello');
    const running = query({ prompt: input, options: { ...options, allowedTools, mcpServers: { lab: server } } });
    const commands = await running.supportedCommands();
    const messages = await collect(running, ({ type }) => type === 'result' && input.end());
    return [{ type: 'commands', commands }, ...messages];
  },

  'servers that initialize delivers': () =>
    collect(
      query({
        prompt: '/mcp lab add {"a":2,"b":3}',
        options: {
          ...options,
          allowedTools,
          mcpServers: { lab: lab(), far: { type: 'http', url: 'http://127.0.0.1:1' } },
          mcpServersDelivery: 'initialize',
        },
      }),
    ),

  async 'a tool of the host that is interrupted'() {
    let end = () => {};
    let cancelled = false;
    const slow = (_, { signal }) =>
      new Promise((resolve) => {
        signal?.addEventListener('abort', () => (cancelled = true));
        end = () => resolve({ content: [] });
        void running.interrupt();
      });
    const input = prompts();
    input.add('/mcp lab slow');
    const running = query({ prompt: input, options: { ...options, allowedTools, mcpServers: { lab: lab(slow) } } });
    const seen = await collect(running, (message) => {
      if (message.type !== 'result') return;
      end();
      if (message.subtype === 'success') input.end();
      else input.add('/echo still here');
    });
    return [{ type: 'cancelled', cancelled }, ...seen];
  },

  'a command that is interrupted': () => interrupted('/bash sleep 60', isCall),
  'a subagent that is interrupted': () =>
    interrupted('/subagent /bash sleep 60', (message) => isCall(message) && message.parent_tool_use_id !== null),

  'a subagent': () => collect(query({ prompt: '/subagent /bash echo inside', options: { ...options, allowedTools } })),

  'a background task': () => collect(query({ prompt: '/background 0.2', options })),
};
