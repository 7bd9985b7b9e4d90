import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Scenarios of `acpx`, a client of the Agent Client Protocol for the shell. Each scenario gets its lab. */
export const ACPX_SCENARIOS = {
  async 'acpx: a prompt'(lab) {
    const { code, stdout } = await acpx(lab, 'exec', '/echo hello');
    assert.equal(code, 0);
    assert.match(stdout, /^hello$/m);
    assert.match(stdout, /\[done\] end_turn/);
  },

  async 'acpx: an allowed call'(lab) {
    const { code, stdout } = await acpx(lab, '--approve-all', 'exec', '/bash echo made > made.txt');
    assert.equal(code, 0);
    assert.match(stdout, /echo made > made.txt \(completed\)/);
    assert.ok(existsSync(join(lab.cwd, 'made.txt')));
  },

  async 'acpx: a denied call'(lab) {
    const { stdout } = await acpx(lab, '--deny-all', 'exec', '/bash echo made > made.txt');
    assert.match(stdout, /echo made > made.txt \(failed\)/);
    assert.match(stdout, /\[done\] end_turn/);
    assert.equal(existsSync(join(lab.cwd, 'made.txt')), false);
  },
};

/** Runs `acpx` in the folder of the lab. */
function acpx({ cwd, env, agentCommand, acpxCommand: [command, ...args] }, ...words) {
  return new Promise((resolve) => {
    const all = [...args, '--agent', agentCommand.join(' '), ...words];
    execFile(command, all, { cwd, env }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : error.code, stdout, stderr }),
    );
  });
}
