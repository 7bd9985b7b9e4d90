import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { getSessionMessages, listSessions } from '@anthropic-ai/claude-agent-sdk';
import { resultOf } from './messages.mjs';

const AGENT = fileURLToPath(new URL('../../packages/cli/dist/agent.js', import.meta.url));
const RECALL = fileURLToPath(new URL('recall.mjs', import.meta.url));

/** Runs `sjp-agent` on one prompt in the folder of the native agent. Returns its result message. */
function ownAgent({ folder, env }, prompt, ...flags) {
  const args = [AGENT, '-p', prompt, '--output-format', 'json', '--session-layout', 'published', '--module', RECALL];
  const text = execFileSync(process.execPath, [...args, ...flags], {
    cwd: folder,
    env,
    encoding: 'utf8',
    stdio: 'pipe',
  });
  return JSON.parse(text);
}

/** The names of the folders of sessions. */
function foldersIn({ CLAUDE_CONFIG_DIR }) {
  const folder = join(CLAUDE_CONFIG_DIR, 'projects');
  return existsSync(folder) ? readdirSync(folder) : [];
}

/** The sessions that the published SDK lists. */
async function listed({ folder, env: { CLAUDE_CONFIG_DIR } }) {
  process.env.CLAUDE_CONFIG_DIR = CLAUDE_CONFIG_DIR;
  return listSessions({ dir: folder });
}

/** Session files which the native agent and `sjp-agent` share. */
export const SESSIONS = {
  async 'a session of sjp-agent, resumed by the native agent'(lab) {
    const { script, query, all, requests } = lab;
    const { session_id: resume } = ownAgent(lab, 'What is seven?');
    script('Native answer.');
    const messages = await all(query({ prompt: 'And eight?', launch: { resume } }));
    assert.equal(resultOf(messages).session_id, resume);
    const asked = JSON.stringify(requests()[0].body.messages);
    for (const text of ['What is seven?', 'And eight?']) assert.ok(asked.includes(text), text);
    assert.equal(foldersIn(lab.env).length, 1);

    const { session_id, result } = ownAgent(lab, 'And nine?', '--resume', resume);
    assert.equal(session_id, resume);
    const known = JSON.parse(result);
    for (const text of ['What is seven?', 'And eight?', 'Native answer.', 'And nine?'])
      assert.ok(known.includes(text), text);
    assert.deepEqual(
      (await listed(lab)).map(({ sessionId }) => sessionId),
      [resume],
    );
    assert.equal((await getSessionMessages(resume, { dir: lab.folder })).length, 6);
  },

  async 'a session of the native agent, resumed and forked by sjp-agent'(lab) {
    const { script, query, all, requests } = lab;
    const bash = (text) => ({ type: 'tool_use', name: 'Bash', input: { command: `echo ${text}`, description: 'say' } });
    script({ content: ['Two at once.', bash('left'), bash('right')] }, 'Both done.');
    const messages = await all(query({ prompt: 'Say it twice', launch: { allowedTools: ['Bash'] } }));
    const { session_id: id } = resultOf(messages);
    const { session_id, result } = ownAgent(lab, 'What was that?', '--resume', id);
    assert.equal(session_id, id);
    // The native agent chains each result to its call, so one of the results is not on the branch.
    const known = JSON.parse(result).filter((text) => text !== '' && !text.startsWith('<'));
    assert.deepEqual(
      known.toSorted(),
      ['Both done.', 'Say it twice', 'Two at once.', 'What was that?', 'left', 'right'].toSorted(),
    );

    const fork = ownAgent(lab, 'And now elsewhere', '--resume', id, '--fork-session');
    assert.notEqual(fork.session_id, id);
    const continued = ownAgent(lab, 'Where am I?', '--continue');
    assert.equal(continued.session_id, fork.session_id);
    script('In the fork.');
    await all(query({ prompt: 'Go on', launch: { resume: fork.session_id } }));
    const asked = requests().at(-1).body.messages;
    const answered = asked.flatMap(({ content }) => content).filter(({ type }) => type === 'tool_result');
    assert.equal(answered.length, 2);
    assert.ok(JSON.stringify(asked).includes('And now elsewhere'));
    assert.equal((await listed(lab)).length, 2);
    // The native agent, too, refuses an id that is in use.
    assert.throws(() => ownAgent(lab, 'x', '--session-id', id), /is already in use/);
  },

  async 'the folder of a working directory with an odd name'({ command, folder, env, script }) {
    const names = [join('a.b_c d', 'äé-日本', '😀e\u0301'), join('x'.repeat(120), 'y'.repeat(120))];
    for (const name of names) {
      const cwd = join(folder, name);
      mkdirSync(cwd, { recursive: true });
      // A link to the folder leads to the same sessions.
      const link = join(folder, `link-${names.indexOf(name)}`);
      symlinkSync(cwd, link);
      const before = foldersIn(env);
      script('Hello.');
      await promisify(execFile)(command, ['-p', 'Hello', '--output-format', 'json'], { cwd, env });
      const [made, ...more] = foldersIn(env).filter((one) => !before.includes(one));
      assert.deepEqual(more, []);
      ownAgent({ folder: link, env }, 'Hello');
      assert.equal(foldersIn(env).length, before.length + 1);
      const files = readdirSync(join(env.CLAUDE_CONFIG_DIR, 'projects', made));
      assert.equal(files.filter((file) => file.endsWith('.jsonl')).length, 2);
    }
  },
};
