import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { agentCommandLine, createHostSession } from '@proto/host';
import { recordTransport } from '@proto/recording';
import { diffRecordings, recordingText } from '@proto/recording/diff';
import { playCassette, withCassette } from '@proto/testkit/cassettes';
import { spawnAgent } from '@proto/transport-stdio';

const PLAYS = 10;
const PLAYS_MS = 240_000;
const bash = (command) => ({
  content: [{ type: 'tool_use', name: 'Bash', input: { command, description: 'a command' } }],
});

/** The answers of the model in a session of five turns, with tools in three of them. */
const ANSWERS = [
  'Hello.',
  bash('echo made > made.txt'),
  'It is made.',
  bash('cat note.txt'),
  bash('rm made.txt'),
  'The note is read, and the file is gone.',
  { content: ['In ', 'pieces.'] },
  { content: [{ type: 'tool_use', name: 'Read', input: { file_path: 'note.txt' } }] },
  'Goodbye.',
];
const PROMPTS = ['Say hello', 'Make a file', 'Read the note, and remove the file', 'Say it in pieces', 'Read it again'];

/** Has the conversation with a native agent, and returns what both sides said as a recording. `decide` answers permissions. */
async function converse({ command, folder, env, opened }, cassette, decide) {
  // The agent finds nothing of an earlier run.
  rmSync(join(folder, 'made.txt'), { force: true });
  rmSync(join(folder, 'config'), { recursive: true, force: true });
  const { args, env: more } = agentCommandLine({ includePartialMessages: true, permissionPromptTool: 'stdio' });
  let wire = '';
  // Behind a result the agent tells that the prompt is done and that it is idle.
  let turnEnded = () => {};
  const lastState = (state) => wire.lastIndexOf(`session_state_changed\\",\\"state\\":\\"${state}`);
  const isIdle = () => ['running', 'requires_action'].every((state) => lastState('idle') > lastState(state));
  const done = () => wire.split('\\"state\\":\\"completed\\"').length - 1;
  const write = (line) => {
    wire += line;
    turnEnded();
  };
  const ended = async (turn) => {
    const results = () => session.state.results;
    while (results() < turn || done() < turn || !isIdle()) await new Promise((resolve) => (turnEnded = resolve));
  };
  const child = spawnAgent({ command, args, cwd: folder, env: { ...env, ...more, ...cassette.env } });
  const transport = recordTransport(cassette.wire(child), { side: 'host', write });
  const session = opened(createHostSession(transport, { canUseTool: decide }));
  const reading = (async () => {
    for await (const _ of session);
  })();
  // The scenario may be aborted before the agent has ended.
  reading.catch(() => {});
  for (const [turn, prompt] of PROMPTS.entries()) {
    await session.prompt(prompt).accepted;
    await ended(turn + 1);
  }
  await session.close();
  await reading;
  return wire;
}

async function differences(expected, found) {
  const { differences: all } = await diffRecordings(recordingText(expected), recordingText(found));
  const list = [];
  for await (const { kind, turn, name, members, expected: a, found: b } of all) {
    list.push({ kind, turn, name, members, text: (a ?? b).text });
  }
  return list;
}

/** Scenarios of cassettes: the native agent plays a session without an API. Each scenario gets its lab. */
export const CASSETTES = {
  async 'a cassette plays ten times'(lab) {
    const file = join(lab.folder, 'tape.jsonl');
    const allow = () => ({ behavior: 'allow' });
    lab.script(...ANSWERS);
    const upstream = lab.env.ANTHROPIC_BASE_URL;
    const recorded = await withCassette(file, (cassette) => converse(lab, cassette, allow), {
      mode: 'record',
      upstream,
    });
    const asked = lab.requests().length;
    assert.equal(asked, ANSWERS.length);
    assert.equal(readFileSync(file, 'utf8').includes(lab.env.ANTHROPIC_API_KEY), false);
    for (let play = 1; play <= PLAYS; play++) {
      const wire = await withCassette(file, (cassette) => converse(lab, cassette, allow));
      assert.deepEqual(await differences(recorded, wire), [], `play ${play}`);
    }
    // The API was not asked again.
    assert.equal(lab.requests().length, asked);
  },

  async 'a changed answer diverges where it was changed'(lab) {
    const file = join(lab.folder, 'tape.jsonl');
    lab.script(...ANSWERS);
    const upstream = lab.env.ANTHROPIC_BASE_URL;
    const allow = () => ({ behavior: 'allow' });
    const recorded = await withCassette(file, (cassette) => converse(lab, cassette, allow), {
      mode: 'record',
      upstream,
    });
    const player = await playCassette(readFileSync(file, 'utf8'));
    // What if the removal had been denied?
    const deny = ({ input }) =>
      input.command === 'rm made.txt' ? { behavior: 'deny', message: 'keep it' } : { behavior: 'allow' };
    const cassette = { env: player.env, wire: (transport) => transport };
    const wire = await converse(lab, cassette, deny);
    await player.close();
    const [first] = await differences(recorded, wire);
    assert.deepEqual([first.turn, first.name], [3, 'control_response/success']);
    const behavior = first.members.find(({ path }) => path === 'response.response.behavior');
    assert.deepEqual([behavior?.expected, behavior?.found], ['allow', 'deny']);
    const [miss] = player.misses;
    assert.equal(miss.number, 6);
    assert.match(miss.message, /differs from the nearest request.*keep it/);
  },
};

CASSETTES['a cassette plays ten times'].limitMs = PLAYS_MS;
