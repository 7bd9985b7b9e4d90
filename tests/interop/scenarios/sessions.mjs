// Sessions that go on, and an agent of a user's own.
import { fileURLToPath } from 'node:url';
import { query } from '@anthropic-ai/claude-agent-sdk';
import { collect, collectToEnd, options } from './host.mjs';

export const sessions = {
  async 'a session that goes on'() {
    const ask = (prompt, further) => collect(query({ prompt, options: { ...options, ...further } }));
    const first = await ask('/echo one');
    const { session_id: resume } = first.at(-1);
    const resumed = await ask('/echo two', { resume });
    const forked = await ask('/echo three', { resume, forkSession: true });
    const continued = await ask('/echo four', { continue: true });
    return [...first, ...resumed, ...forked, ...continued];
  },

  async 'a session that is taken up again'() {
    const ask = (prompt, further) => collect(query({ prompt, options: { ...options, ...further } }));
    const first = await ask('/echo one');
    const resumed = await ask('/echo two', { resume: first.at(-1).session_id });
    const continued = await ask('/echo three', { continue: true });
    return [...first, ...resumed, ...continued];
  },

  async 'a session that is not there'() {
    const resume = '00000000-0000-4000-8000-000000000000';
    return collectToEnd(query({ prompt: '/echo one', options: { ...options, resume } }));
  },

  "an agent of a user's own"() {
    const module = fileURLToPath(new URL('../own-agent.mjs', import.meta.url));
    return collect(query({ prompt: 'hello', options: { ...options, maxTurns: 3, extraArgs: { module } } }));
  },
};
