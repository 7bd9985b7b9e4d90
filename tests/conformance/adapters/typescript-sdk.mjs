#!/usr/bin/env node
// The adapter of the published TypeScript SDK: `sjp conformance host --adapter -- node tests/conformance/adapters/typescript-sdk.mjs [FILE]`, where FILE is the module of another version.
import { pathToFileURL } from 'node:url';
import { z } from 'zod';

import { promptsOf, serve } from '../../../conformance/adapters/serve.mjs';

const [file] = process.argv.slice(2);
const { createSdkMcpServer, query, tool } = await (file === undefined
  ? import('@anthropic-ai/claude-agent-sdk')
  : import(pathToFileURL(file).href));

serve({
  name: 'TypeScript SDK',
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
    'withdrawn',
    'close',
  ],
  run,
});

async function run(scenario, user) {
  const prompts = promptsOf(scenario);
  const session = query({
    prompt: messagesOf(prompts),
    options: { pathToClaudeCodeExecutable: scenario.agent, ...callbacksOf(scenario.options, user) },
  });
  user.methods = {
    prompt: ({ text }) => prompts.add(text),
    end: () => prompts.end(),
    interrupt: () => session.interrupt(),
    set_model: ({ model }) => session.setModel(model),
    close: () => session.close(),
  };
  // The session itself does not fail if the agent refuses `initialize` and then exits with code 0.
  let refusal;
  session.initializationResult().catch((error) => {
    refusal = error;
  });
  try {
    for await (const message of session) {
      user.receive(message);
      if (message.type === 'result') prompts.result();
    }
    if (refusal !== undefined) throw new Error('The agent refused initialize.', { cause: refusal });
  } finally {
    prompts.end();
  }
}

async function* messagesOf(prompts) {
  for await (const text of prompts)
    yield { type: 'user', message: { role: 'user', content: text }, parent_tool_use_id: null, session_id: '' };
}

function callbacksOf({ permissions, hooks, servers, elicitation, dialogs }, user) {
  const hook =
    ({ event, matcher }) =>
    (input, _, { signal }) =>
      user.ask('hook', { event, matcher, input }, signal);
  const decide = (tool_name, input, { signal, toolUseID }) =>
    user.ask('permission', { tool_name, input, tool_use_id: toolUseID }, signal);
  return {
    ...(permissions && { canUseTool: decide }),
    ...(elicitation && { onElicitation: (request, { signal }) => user.ask('elicitation', request, signal) }),
    ...(dialogs && {
      supportedDialogKinds: dialogs,
      onUserDialog: (request, { signal }) => user.ask('dialog', request, signal),
    }),
    ...(servers && { mcpServers: Object.fromEntries(servers.map((name) => [name, echoServer(name)])) }),
    ...(hooks && {
      hooks: matchersOf(hooks, (each) => ({ matcher: each.matcher, hooks: [hook(each)] })),
    }),
  };
}

/** The matchers of a list of hooks, by event. */
function matchersOf(hooks, matcherOf) {
  const events = Object.create(null);
  for (const each of hooks) (events[each.event] ??= []).push(matcherOf(each));
  return events;
}

function echoServer(name) {
  const echo = tool('echo', 'Returns a text', { text: z.string() }, async ({ text }) => ({
    content: [{ type: 'text', text }],
  }));
  return createSdkMcpServer({ name, version: '1.0.0', tools: [echo] });
}
