import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { agentCommandLine, createHostSession } from '@proto/host';
import { createRedactor, parseRecording, recordTransport } from '@proto/recording';
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

const LAUNCH = agentCommandLine({ includePartialMessages: true, permissionPromptTool: 'stdio' });
const MAIN = fileURLToPath(new URL('../../packages/cli/dist/main.js', import.meta.url));
const KEPT = fileURLToPath(new URL('../../packages/testkit/testdata/native-agent.cassette.jsonl', import.meta.url));
// The agent's descriptions of itself are redacted, because their text belongs to its vendor.
const PROSE = ['commands', 'agents', 'models'].map((list) => `response.response.${list}.*.description`);

/** Removes everything that an earlier run of the agent has left. */
function forget(folder) {
  rmSync(join(folder, 'made.txt'), { force: true });
  rmSync(join(folder, 'config'), { recursive: true, force: true });
}

/** Runs the conversation with a native agent, and returns a recording of both sides. */
async function converse({ command, folder, env, opened }, cassette) {
  forget(folder);
  const { args, env: more } = LAUNCH;
  let wire = '';
  const child = spawnAgent({ command, args, cwd: folder, env: { ...env, ...more, ...cassette.env } });
  const transport = recordTransport(cassette.wire(child), { side: 'host', write: (line) => void (wire += line) });
  let changed = () => {};
  const onState = () => changed();
  const session = opened(createHostSession(transport, { canUseTool: () => ({ behavior: 'allow' }), onState }));
  const reading = (async () => {
    for await (const _ of session);
  })();
  // The scenario may be aborted before the agent has ended.
  reading.catch(() => {});
  for (const [index, prompt] of PROMPTS.entries()) {
    await session.prompt(prompt).accepted;
    // After a result, the agent reports that the prompt is done and that it is idle. A prompt sent earlier would change the order of these messages.
    const isDone = () => session.state.results > index && session.state.session === 'idle';
    while (!isDone()) await new Promise((resolve) => (changed = resolve));
  }
  // The last messages of the agent belong to the session, so the recording ends only after the agent has ended.
  await session.endInput();
  await reading;
  return wire;
}

/** Starts the native agent for a tape that speaks for its host. */
function startAgent({ command, folder, env, opened }, player) {
  forget(folder);
  const { args, env: more } = LAUNCH;
  const agent = spawnAgent({ command, args, cwd: folder, env: { ...env, ...more, ...player.env } });
  opened(agent);
  return agent;
}

async function differences(expected, found, ignore = []) {
  const { differences: all } = await diffRecordings(recordingText(expected), recordingText(found), { ignore });
  const list = [];
  for await (const { kind, turn, name, members, expected: a, found: b } of all) {
    list.push({ kind, turn, name, members, text: (a ?? b).text });
  }
  return list;
}

async function recordSession(lab, file) {
  lab.script(...ANSWERS);
  const options = { mode: 'record', upstream: lab.env.ANTHROPIC_BASE_URL, launch: LAUNCH };
  const recorded = await withCassette(file, (cassette) => converse(lab, cassette), options);
  assert.equal(lab.requests().length, ANSWERS.length);
  return recorded;
}

/** Runs `sjp`, and returns what it has written. */
async function sjp(lab, ...args) {
  const child = spawn(process.execPath, [MAIN, ...args], { cwd: lab.folder, env: lab.env });
  child.stdin.end();
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { code, stdout, stderr };
}

/** Scenarios of cassettes: the native agent plays a session without an API. Each scenario gets its lab. */
export const CASSETTES = {
  async 'a cassette plays ten times'(lab) {
    const file = join(lab.folder, 'tape.jsonl');
    const recorded = await recordSession(lab, file);
    const tape = readFileSync(file, 'utf8');
    assert.equal(tape.includes(lab.env.ANTHROPIC_API_KEY), false);
    // In five of the runs, the tape plays the host.
    for (let play = 1; play <= PLAYS; play += 2) {
      const wire = await withCassette(file, (cassette) => converse(lab, cassette));
      assert.deepEqual(await differences(recorded, wire), [], `play ${play}`);
      const player = await playCassette(tape);
      const { problems, expected, found } = await player.drive(startAgent(lab, player));
      await player.close();
      assert.deepEqual([problems, await differences(expected, found)], [[], []], `play ${play + 1}`);
    }
    // No further request was sent to the API.
    assert.equal(lab.requests().length, ANSWERS.length);
  },

  async 'a changed answer diverges where it was changed'(lab) {
    const file = join(lab.folder, 'tape.jsonl');
    await recordSession(lab, file);
    const tape = readFileSync(file, 'utf8');
    const player = await playCassette(tape);
    // What if the removal had been denied?
    const isRemoval = ({ line = '' }) => line.includes('can_use_tool') && line.includes('rm made.txt');
    const answers = new Map([[player.recording.entries.findIndex(isRemoval) + 1, 'deny']]);
    const { problems, expected, found } = await player.drive(startAgent(lab, player), { answers });
    await player.close();
    const [first, second] = await differences(expected, found);
    assert.deepEqual([first.turn, first.name], [3, 'control_response/success']);
    const behavior = first.members.find(({ path }) => path === 'response.response.behavior');
    assert.deepEqual([behavior?.expected, behavior?.found], ['allow', 'deny']);
    assert.deepEqual([second.turn, second.name], [3, 'user']);
    assert.equal(problems.length, 1);
    assert.match(problems[0], /^request 6: .*differs from the nearest request, exchange 6: recorded .*now .*denied/);
  },

  async 'the shell records, plays, and changes an answer'(lab) {
    lab.script(bash('echo made > made.txt'), 'It is made.');
    const agent = ['--', lab.command];
    const recorder = [process.execPath, MAIN, 'cassette', 'record', 'tape.jsonl', ...agent];
    const recorded = await sjp(lab, 'run', 'Make a file', '--permissions', 'allow', '--', ...recorder);
    assert.deepEqual([recorded.code, lab.requests().length], [0, 2]);
    const played = await sjp(lab, 'cassette', 'play', 'tape.jsonl', ...agent);
    assert.match(played.stdout, /^no differences, \d+ frames\n$/);
    assert.deepEqual([played.code, played.stderr], [0, '']);
    const { entries } = parseRecording(readFileSync(join(lab.folder, 'tape.jsonl'), 'utf8'));
    const frame = entries.findIndex(({ line = '' }) => line.includes('can_use_tool')) + 1;
    const denied = await sjp(lab, 'cassette', 'play', 'tape.jsonl', '--deny', String(frame), ...agent);
    assert.equal(denied.code, 6);
    assert.match(denied.stdout, /^turn 1\n~ host {2}answers success {2}changed/);
    assert.match(denied.stderr, /^sjp cassette play: request 2: cassette: the tape has no answer to POST/);
    const stale = await sjp(lab, 'cassette', 'play', 'tape.jsonl', '--stale', ...agent);
    assert.match(stale.stdout, /^ok +tape.jsonl +recorded with [\d.]+, played with [\d.]+\n0 of 1 stale\n$/);
    assert.equal(stale.code, 0);
  },

  // To record the file again, delete it and run this scenario.
  async 'the agent follows the cassette of an earlier run'(lab) {
    if (!existsSync(KEPT)) {
      lab.script(...ANSWERS);
      const options = {
        upstream: lab.env.ANTHROPIC_BASE_URL,
        launch: LAUNCH,
        redactor: createRedactor({ paths: PROSE }),
      };
      await withCassette(KEPT, (cassette) => converse(lab, cassette), options);
    }
    const player = await playCassette(readFileSync(KEPT, 'utf8'));
    const { problems } = await player.drive(startAgent(lab, player));
    await player.close();
    assert.deepEqual(problems, []);
  },
};

CASSETTES['a cassette plays ten times'].limitMs = PLAYS_MS;
