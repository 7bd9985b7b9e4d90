// Hooks of the host around prompts, tool calls and the end of a turn.
import { query } from '@anthropic-ai/claude-agent-sdk';
import { collect, options } from './host.mjs';

/** Runs one prompt with hooks. The first output is the list of hooks that were called, before the messages. */
async function under(hooks, prompt, members = { allowedTools: ['Bash'] }) {
  const called = [];
  const matchers = Object.entries(hooks).map(([event, hook]) => {
    const { answer, ...matcher } = typeof hook === 'function' ? { answer: hook } : hook;
    const callback = async (input, _, context) => {
      called.push(input);
      return answer(input, context);
    };
    return [event, [{ ...matcher, hooks: [callback] }]];
  });
  const seen = await collect(
    query({ prompt, options: { ...options, ...members, hooks: Object.fromEntries(matchers) } }),
  );
  return [{ type: 'called', called }, ...seen];
}

const specific = (hookEventName, members) => () => ({ hookSpecificOutput: { hookEventName, ...members } });
const silent = () => ({});
let stops = 0;

export const hooks = {
  'hooks of every event': () =>
    under(
      {
        UserPromptSubmit: silent,
        PreToolUse: silent,
        PostToolUse: specific('PostToolUse', { additionalContext: 'more to know' }),
        PostToolUseFailure: silent,
        SubagentStart: silent,
        SubagentStop: silent,
        Stop: silent,
      },
      '/bash echo a\n/bash exit 3\n/subagent hello',
    ),
  'a hook that forbids': () =>
    under(
      { PreToolUse: specific('PreToolUse', { permissionDecision: 'deny', permissionDecisionReason: 'no' }) },
      '/bash echo a',
    ),
  'a hook that changes the input': () =>
    under(
      {
        PreToolUse: specific('PreToolUse', { permissionDecision: 'allow', updatedInput: { command: 'echo changed' } }),
      },
      '/bash echo a',
      {},
    ),
  'a hook that does not answer': () =>
    under(
      {
        PreToolUse: {
          timeout: 0.2,
          answer: (_, { signal }) => new Promise((resolve) => signal.addEventListener('abort', () => resolve({}))),
        },
      },
      '/bash echo a',
    ),
  'a hook that fails': () =>
    under(
      {
        PostToolUse: () => {
          throw new Error('hook broke');
        },
      },
      '/bash echo a',
    ),
  'a hook that blocks when it fails': () =>
    under(
      {
        PreToolUse: {
          onFailure: 'block',
          answer: () => {
            throw new Error('hook broke');
          },
        },
      },
      '/bash echo a',
    ),
  'a hook that refuses the prompt': () =>
    under({ UserPromptSubmit: () => ({ decision: 'block', reason: 'not this one' }) }, '/echo never'),
  'a hook that keeps the turn from ending': () =>
    under({ Stop: () => (stops++ === 0 ? { decision: 'block', reason: '/echo more' } : {}) }, '/echo one'),
};
