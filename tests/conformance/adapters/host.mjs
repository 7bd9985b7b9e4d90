#!/usr/bin/env node
// The adapter of @proto/host: `sjp conformance host --adapter -- node tests/conformance/adapters/host.mjs`.
import { query } from '@proto/host';
import { spawnAgent } from '@proto/transport-stdio';

import { promptsOf, serve } from '../../../conformance/adapters/serve.mjs';

serve({
  name: '@proto/host',
  features: [
    'messages',
    'open-input',
    'blocks',
    'permissions',
    'hooks',
    'servers',
    'elicitation',
    'dialogs',
    'interrupt',
    'set_model',
    'withdraw',
    'withdrawn',
    'close',
  ],
  run,
});

async function run(scenario, user) {
  const prompts = promptsOf(scenario);
  const session = query({
    prompt: prompts,
    transport: ({ args, env }) => spawnAgent({ command: scenario.agent, args, env }),
    ...callbacksOf(scenario.options, user),
  });
  user.methods = {
    prompt: ({ text }) => prompts.add(text),
    end: () => prompts.end(),
    interrupt: (_, signal) => session.interrupt({ signal }),
    set_model: ({ model }, signal) => session.request('set_model', { model }, { signal }),
    close: () => session.close(),
  };
  try {
    for await (const message of session) {
      user.receive(message);
      if (message.type === 'result') prompts.result();
    }
  } finally {
    prompts.end();
  }
}

function callbacksOf({ permissions, hooks, servers, elicitation, dialogs }, user) {
  const ask =
    (kind) =>
    (request, { signal }) =>
      user.ask(kind, request, signal);
  const hook =
    ({ event, matcher }) =>
    (input, { signal }) =>
      user.ask('hook', { event, matcher, input }, signal);
  return {
    ...(permissions && { canUseTool: ask('permission') }),
    ...(elicitation && { onElicitation: ask('elicitation') }),
    ...(dialogs && { dialogs: Object.fromEntries(dialogs.map((kind) => [kind, ask('dialog')])) }),
    ...(servers && { mcpServers: Object.fromEntries(servers.map((name) => [name, echoServer(name)])) }),
    ...(hooks && {
      hooks: matchersOf(hooks, (each) => ({ ...(each.matcher && { matcher: each.matcher }), hooks: [hook(each)] })),
    }),
  };
}

/** The matchers of a list of hooks, by event. */
function matchersOf(hooks, matcherOf) {
  const events = Object.create(null);
  for (const each of hooks) (events[each.event] ??= []).push(matcherOf(each));
  return events;
}

/** A server with the tool `echo`, without a library. */
function echoServer(name) {
  return {
    async connect(transport) {
      transport.onmessage = ({ id, method, params }) => {
        if (id === undefined) return;
        const reply = answerOf(name, method, params);
        void transport.send({ jsonrpc: '2.0', id, ...reply });
      };
      await transport.start();
    },
  };
}

function answerOf(name, method, params) {
  const tool = {
    name: 'echo',
    description: 'Returns a text',
    inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
  };
  if (method === 'initialize') {
    const { protocolVersion } = params;
    return { result: { protocolVersion, capabilities: { tools: {} }, serverInfo: { name, version: '1.0.0' } } };
  }
  if (method === 'tools/list') return { result: { tools: [tool] } };
  if (method === 'tools/call') return { result: { content: [{ type: 'text', text: String(params.arguments.text) }] } };
  return { error: { code: -32_601, message: `Unknown method: ${method}` } };
}
