// One-line faults of the child process as a transport; see ../faults.mjs.

const FOLDER = 'packages/transport-stdio/src';

/** @type {readonly import('./fault.mjs').Fault[]} */
export const spawn = [
  {
    id: 'spawn/signals-only-the-child',
    file: `${FOLDER}/signal-tree.ts`,
    line: 'kill(-pid, signal);',
    becomes: 'kill(pid, signal);',
    rows: ['R-7.1'],
  },
  {
    id: 'spawn/never-kills',
    file: `${FOLDER}/shut-down.ts`,
    line: 'this.#after(this.#options.killGraceMs, () => this.kill());',
    becomes: '',
    rows: ['S4-04'],
  },
  {
    id: 'spawn/kills-without-a-grace',
    file: `${FOLDER}/shut-down.ts`,
    line: 'this.#after(this.#options.closeGraceMs, () => this.terminate());',
    becomes: 'this.terminate();',
    rows: ['S4-10'],
  },
  {
    id: 'spawn/leaves-the-group',
    file: `${FOLDER}/shut-down.ts`,
    line: 'if (!again()) return this.#gone();',
    becomes: 'return this.#gone();',
    rows: ['R-7.1'],
  },
  {
    id: 'spawn/abort-waits',
    file: `${FOLDER}/process-driver.ts`,
    line: 'this.#shutDown.kill();',
    becomes: '',
    rows: ['R-7.3', 'R-7.5'],
  },
  {
    id: 'spawn/every-end-is-clean',
    file: `${FOLDER}/process-driver.ts`,
    line: 'if (left && this.#broken === undefined) return undefined;',
    becomes: 'return undefined;',
    rows: ['S4-21', 'R-22.1'],
  },
  {
    id: 'spawn/no-stderr-tail',
    file: `${FOLDER}/process-driver.ts`,
    line: 'this.#tail.push(chunk);',
    becomes: '',
    rows: ['S4-27', 'R-28.1'],
  },
  {
    id: 'spawn/output-not-read',
    file: `${FOLDER}/process-driver.ts`,
    line: 'receive: (items) => control.receive(items),',
    becomes: 'receive() {},',
    rows: ['S4-02'],
  },
  {
    id: 'spawn/any-folder',
    file: `${FOLDER}/spawn-agent.ts`,
    line: 'if (cwd !== undefined && !system.isFolder(cwd)) {',
    becomes: 'if (false) {',
    rows: ['S4-26'],
  },
  {
    id: 'spawn/refusal-not-told',
    file: `${FOLDER}/spawn-agent.ts`,
    line: "child.once('error', (error) => control.closed(cannotStart(error)));",
    becomes: "child.once('error', () => {});",
    rows: ['R-6.3'],
  },
  {
    id: 'spawn/opens-a-console',
    file: `${FOLDER}/spawn-agent.ts`,
    line: 'windowsHide: true,',
    becomes: '',
    rows: ['R-21.3'],
  },
  {
    id: 'spawn/runs-batch-files',
    file: `${FOLDER}/find-executable.ts`,
    line: "if (system.platform !== 'win32' || !/\\.(?:cmd|bat)$/i.test(path)) return { file: path, args: [] };",
    becomes: 'return { file: path, args: [] };',
    rows: ['R-21.2'],
  },
  {
    id: 'spawn/searched-not-told',
    file: `${FOLDER}/agent-errors.ts`,
    line: 'return Object.assign(error, { searched, hint }) as AgentNotFound;',
    becomes: 'return Object.assign(error, { searched: [], hint }) as AgentNotFound;',
    rows: ['S4-20'],
  },
  {
    id: 'spawn/inherits-an-outer-session',
    file: `${FOLDER}/inherit-environment.ts`,
    line: 'const inherited = Object.entries(from).filter(([name]) => !isPrivateVariable(name));',
    becomes: 'const inherited = Object.entries(from);',
    rows: ['R-36.1'],
  },
  {
    id: 'spawn/keeps-the-proxy-to-itself',
    file: `${FOLDER}/network-variables.ts`,
    line: "'HTTPS_PROXY',",
    becomes: '',
    rows: ['R-33.1'],
  },
];
