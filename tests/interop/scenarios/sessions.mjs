// Sessions that are resumed, and a user's own agent.
import { fileURLToPath } from 'node:url';
import {
  archiveSession,
  deleteSession,
  forkSession,
  getSessionInfo,
  getSessionMessages,
  getSubagentMessages,
  InMemorySessionStore,
  listSessions,
  listSubagents,
  query,
  renameSession,
  tagSession,
} from '@anthropic-ai/claude-agent-sdk';
import { collect, collectToEnd, options } from './host.mjs';

export const sessions = {
  async 'a session that continues'() {
    const ask = (prompt, further) => collect(query({ prompt, options: { ...options, ...further } }));
    const first = await ask('/echo one');
    const { session_id: resume } = first.at(-1);
    const resumed = await ask('/echo two', { resume });
    const forked = await ask('/echo three', { resume, forkSession: true });
    const continued = await ask('/echo four', { continue: true });
    return [...first, ...resumed, ...forked, ...continued];
  },

  async 'a session that is resumed'() {
    const ask = (prompt, further) => collect(query({ prompt, options: { ...options, ...further } }));
    const first = await ask('/echo one');
    const resumed = await ask('/echo two', { resume: first.at(-1).session_id });
    const continued = await ask('/echo three', { continue: true });
    return [...first, ...resumed, ...continued];
  },

  // The session is not stored locally, so a resumed session comes from the session store.
  async 'a session store'() {
    const sessionStore = new InMemorySessionStore();
    const ask = (prompt, further) => {
      const own = { ...process.env, SJP_HOME: `${process.env.SJP_HOME}/${crypto.randomUUID()}` };
      return collect(query({ prompt, options: { ...options, sessionStore, env: own, ...further } }));
    };
    const first = await ask('/echo one\n/bash true', { allowedTools: ['Bash'] });
    const { session_id: id } = first.at(-1);
    const resumed = await ask('/echo two', { resume: id });
    const continued = await ask('/echo three', { continue: true });
    const forked = await ask('/echo four', { resume: id, forkSession: true });
    const where = { dir: process.cwd(), sessionStore };
    const reported = {
      listed: (await listSessions(where)).map(({ sessionId }) => sessionId),
      said: await getSessionMessages(id, where),
      forked: await getSessionMessages(forked.at(-1).session_id, where),
    };
    return [{ type: 'reported', reported }, ...first, ...resumed, ...continued, ...forked];
  },

  // The files lie where the functions of the SDK look for sessions.
  async 'session files of the published layout'() {
    process.env.CLAUDE_CONFIG_DIR = `${process.env.SJP_HOME}/config`;
    process.env.SJP_SESSION_LAYOUT = 'published';
    const dir = process.cwd();
    const ask = (prompt, further) => collect(query({ prompt, options: { ...options, ...further } }));
    const began = Date.now();
    const first = await ask('/echo one\n/bash true', { allowedTools: ['Bash'] });
    const { session_id: id } = first.at(-1);
    const listed = await listSessions({ dir });
    const everywhere = await listSessions();
    const ofPeople = await listSessions({ includeProgrammatic: false });
    const said = await getSessionMessages(id, { dir });
    const resumed = await ask('/echo two', { resume: id });
    const continued = await ask('/echo three', { continue: true });
    const forked = await ask('/echo four', { resume: id, forkSession: true });
    await renameSession(id, 'A title', { dir });
    await tagSession(id, 'a tag', { dir });
    await archiveSession(id, { dir });
    const info = await getSessionInfo(id, { dir });
    const copy = await forkSession(id, { dir, title: 'A copy' });
    // The agent continues sessions in files that the SDK has changed, and in files that the SDK has created.
    const renamed = await ask('/echo five', { resume: id });
    const copied = await ask('/subagent aside\n/echo six', { resume: copy.sessionId, allowedTools: ['Agent'] });
    const [agentID] = await listSubagents(copy.sessionId, { dir });
    const after = {
      info: await getSessionInfo(id, { dir }),
      copy: await getSessionInfo(copy.sessionId, { dir }),
      said: await getSessionMessages(id, { dir }),
      saidInCopy: await getSessionMessages(copy.sessionId, { dir }),
      saidAside: await getSubagentMessages(copy.sessionId, agentID ?? '', { dir }),
      saidInFork: await getSessionMessages(forked.at(-1).session_id, { dir }),
    };
    await deleteSession(id, { dir });
    const gone = await collectToEnd(query({ prompt: '/echo seven', options: { ...options, resume: id } }));
    const rest = (await listSessions({ dir })).map(({ sessionId }) => sessionId);
    const reported = { dir, began, listed, everywhere, ofPeople, said, info, copy, after, rest, gone: gone.at(-1) };
    return [{ type: 'reported', reported }, ...first, ...resumed, ...continued, ...forked, ...renamed, ...copied];
  },

  async 'an unknown session'() {
    const resume = '00000000-0000-4000-8000-000000000000';
    return collectToEnd(query({ prompt: '/echo one', options: { ...options, resume } }));
  },

  "an agent of a user's own"() {
    const module = fileURLToPath(new URL('../own-agent.mjs', import.meta.url));
    return collect(query({ prompt: 'hello', options: { ...options, maxTurns: 3, extraArgs: { module } } }));
  },
};
