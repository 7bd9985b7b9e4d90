import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const HOST = fileURLToPath(new URL('aborting-host.mjs', import.meta.url));

// Each command starts a process with one of these marks as its last argument, by which the test finds the process.
const MARKS = ['3601.1', '3601.2', '3601.3', '3601.4', '3601.5'];
const bash = (input) => ({
  content: [{ type: 'tool_use', name: 'Bash', input: { description: 'a command', ...input } }],
});
/** The commands: in the background of the agent, in the background of the shell, in a new session, without the environment and the pipes of the agent, and in the foreground. */
const COMMANDS = [
  bash({ command: `sleep ${MARKS[0]}`, run_in_background: true }),
  bash({
    command: [
      `touch ${MARKS[1]} ${MARKS[4]}`,
      `tail -f ${MARKS[1]} & setsid sleep ${MARKS[2]} &`,
      `(setsid env -i sleep ${MARKS[3]} </dev/null >/dev/null 2>&1 &)`,
      `tail -f ${MARKS[4]}`,
    ].join('\n'),
  }),
];

/** Returns the running commands, each as the program and its arguments. */
function running() {
  return readdirSync('/proc').flatMap((pid) => {
    try {
      const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1);
      return MARKS.includes(words.at(-1)) ? [words.join(' ')] : [];
    } catch {
      return [];
    }
  });
}

async function until(holds) {
  while (!holds()) await setTimeout(10);
}

/** Scenarios that abort an agent, and check that none of its commands still runs. Each scenario gets its lab. */
export const ABORTS = {
  async 'an abort while commands run'({ script, query, all }) {
    script(...COMMANDS);
    const controller = new AbortController();
    const canUseTool = () => ({ behavior: 'allow' });
    const session = query({ prompt: 'Run them', canUseTool, signal: controller.signal });
    const messages = assert.rejects(all(session), { message: 'the user has left' });
    await until(() => running().length === MARKS.length);
    const start = performance.now();
    controller.abort(new Error('the user has left'));
    await messages;
    const { process: end } = await session.closed;
    assert.deepEqual(running(), []);
    // The agent exited by itself, within its time after SIGTERM.
    assert.deepEqual([end.exitCode, end.killed], [143, true]);
    assert.ok(performance.now() - start < 2000);
  },

  async 'an abort while it closes, and commands run'({ script, host }) {
    script(...COMMANDS);
    const session = host({ canUseTool: () => ({ behavior: 'allow' }) }, { permissionPromptTool: 'stdio' });
    await session.prompt('Run them').accepted;
    await until(() => running().length === MARKS.length);
    const closed = session.close();
    session.abort();
    await closed.catch(() => {});
    await session.closed;
    assert.deepEqual(running(), []);
  },

  async 'an abort and the exit of the program, while commands run'({ script, command, folder, env }) {
    script(...COMMANDS);
    const host = spawn(process.execPath, [HOST, command, folder], { env, stdio: ['pipe', 'inherit', 'inherit'] });
    const exited = once(host, 'exit');
    await until(() => running().length === MARKS.length);
    host.stdin.end();
    assert.deepEqual(await exited, [0, null]);
    await until(() => running().length === 0);
    // The process that watches the host checks once more after a second.
    await until(() => !readdirSync('/proc').some((pid) => isWatch(pid)));
  },
};

function isWatch(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('prlimit --pid');
  } catch {
    return false;
  }
}
