import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { kinds, resultOf } from './messages.mjs';
import { openRemote, WAYS } from './remote-lab.mjs';

const bash = (command) => ({
  content: [{ type: 'tool_use', name: 'Bash', input: { command, description: 'a command' } }],
});
const never = new Promise(() => {});

/** Runs streamed turns, permissions (one of them given while the worker is disconnected), an interrupt, and the end of the session. */
async function session(lab, worker, way) {
  const { script, all, folder } = lab;
  const remote = await openRemote(lab, worker, way);
  try {
    const asked = [];
    const host = remote.viewer({
      canUseTool({ input }) {
        asked.push(input.command);
        if (asked.length === 2) remote.proxy.cut('rst');
        return { behavior: 'allow' };
      },
    });
    const turn = async (prompt, ...replies) => {
      script(...replies);
      await host.prompt(prompt).accepted;
      return all(host.untilResult());
    };

    const text = await turn('Say hello', { content: ['Hello, ', 'wor', 'ld: \u00fc \ud83d\ude00'] });
    assert.equal(resultOf(text).result, 'Hello, world: \u00fc \ud83d\ude00');
    assert.ok(kinds(text).includes('stream_event'));

    const tools = await turn('Make both', bash('echo one > one.txt'), bash('echo two > two.txt'), 'Done.');
    assert.deepEqual(asked, ['echo one > one.txt', 'echo two > two.txt']);
    assert.equal(readFileSync(join(folder, 'two.txt'), 'utf8'), 'two\n');
    assert.equal(resultOf(tools).result, 'Done.');

    script({ content: ['Once upon ', { wait: never }] });
    await host.prompt('Write a story').accepted;
    const story = [];
    for await (const message of host.untilResult()) {
      story.push(message);
      if (message.event?.delta?.text !== undefined) void host.interrupt();
    }
    assert.equal(resultOf(story).subtype, 'error_during_execution');
    const last = await turn('Are you there?', 'Still here.');
    assert.equal(resultOf(last).result, 'Still here.');

    const uuids = [...text, ...tools, ...story, ...last].flatMap(({ type, uuid }) =>
      type === 'stream_event' ? [] : uuid,
    );
    assert.equal(new Set(uuids).size, uuids.length);
    await remote.archive();
    await all(host);
    await remote.exited;
    assert.equal(remote.stdout(), '');
  } finally {
    await remote.close();
  }
}

const scenarios = (name, worker) =>
  Object.keys(WAYS).map((way) => [`${name} over ${way}`, (lab) => session(lab, worker, way)]);

/** Scenarios of published agents as workers of a session, over each medium that they support. After a cut, the native agent sends all its messages again. */
export const REMOTE = Object.fromEntries([
  ...scenarios('a worker on Node', 'nodeWorker'),
  ...scenarios('a native worker', 'nativeWorker'),
]);
