// Turns that end with a structured output, and turns that fail.
import { query } from '@anthropic-ai/claude-agent-sdk';
import { collectToEnd, options } from './host.mjs';

const schema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };

/** Runs one prompt to its end. */
const ending = (prompt, members) => collectToEnd(query({ prompt, options: { ...options, ...members } }));

export const results = {
  'an output of a certain form': () =>
    ending('/json {"name":"lab"}', { outputFormat: { type: 'json_schema', schema } }),
  'an output that never matches the schema': () =>
    ending('/json {"name":7}', { outputFormat: { type: 'json_schema', schema } }),
  'too many turns': () => ending('/bash echo a', { allowedTools: ['Bash'], maxTurns: 1 }),
  'too much money': () => ending('/big 10000\n/echo never', { maxBudgetUsd: 0.01 }),
  'an error of the API': () => ending('/fail api'),
  'an error of the agent': () => ending('/fail execution'),
  'a crash': () => ending('/fail crash', { stderr: () => {} }),
  'text that is hard to parse': () => ending('/think hard\n/unicode\n/big 1000000', { includePartialMessages: true }),
};
