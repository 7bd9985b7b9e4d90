// Faults of child processes and their pipes; see ../faults.mjs.

/** @type {readonly import('./plant.mjs').Fault[]} */
export const processes = [
  {
    id: 'spawn/never-kills',
    in: 'transport-stdio ShutDown.terminate',
    find: 'this.#$after(this.#$options.killGraceMs, () => this.kill());',
    becomes: '',
    rows: ['S4-04'],
  },
  {
    id: 'spawn/every-end-is-clean',
    in: 'transport-stdio ProcessDriver',
    find: 'if ($left && this.#$broken === undefined) return undefined;',
    becomes: 'return undefined;',
    rows: ['S4-21', 'R-22.1'],
  },
  {
    id: 'spawn/no-stderr-tail',
    in: 'transport-stdio ProcessDriver',
    find: 'this.#$tail.push($chunk);',
    becomes: '',
    rows: ['S4-27', 'R-28.1'],
  },
  {
    id: 'spawn/knows-processes-by-number-alone',
    in: 'transport-stdio Descendants',
    find: 'return this.#$known.get($pid) === $start;',
    becomes: 'return this.#$known.has($pid) && $start > 0;',
    rows: ['R-7.1'],
  },
  {
    id: 'spawn/leaves-what-left-the-group',
    in: 'transport-stdio signalTree',
    find: 'return $descendants.signal($signal) ?? $inGroup;',
    becomes: 'return $inGroup;',
    rows: ['R-7.1'],
  },
  {
    id: 'spawn/runs-batch-files',
    in: 'transport-stdio findExecutable',
    find: "if ($system.platform !== 'win32' || !/\\.(?:cmd|bat)$/i.test($path)) return { file: $path, args: [] };",
    becomes: 'return { file: $path, args: [] };',
    rows: ['R-21.2'],
  },
  {
    id: 'spawn/inherits-an-outer-session',
    in: 'transport-stdio inheritEnvironment',
    find: 'const $inherited = Object.entries($from).filter(([$name]) => !isPrivateVariable($name));',
    becomes: 'const $inherited = Object.entries($from);',
    rows: ['R-36.1'],
  },
  {
    id: 'stdio/keeps-what-parsed',
    in: 'transport-stdio createSpeculativeDecoder',
    find: "this.#$held = '';",
    becomes: '',
    rows: ['S4-18'],
  },
  {
    id: 'stdio/loses-chunks',
    in: 'transport-stdio StdioDriver',
    find: "$input.on('data', ($chunk: Uint8Array | string) => $control.receive(incomingLines(this.#$decoder.push($chunk))));",
    becomes: "$input.on('data', ($chunk) => $control.receive(incomingLines(createLineDecoder().push($chunk))));",
    rows: ['S1-02'],
  },
  {
    id: 'spawn/abort-gives-no-time',
    in: 'transport-stdio ShutDown.abort',
    find: 'this.#$abortTimer = setTimeout(() => this.kill(), Math.min(this.#$options.killGraceMs, $ABORT_GRACE_MS)).unref();',
    becomes: 'this.kill();',
    rows: ['R-7.1'],
  },
  {
    id: 'spawn/abort-cuts-the-output-off',
    in: 'transport-stdio ProcessDriver.abort',
    find: 'this.#$child.stdin.destroy();',
    becomes: 'this.#streams.abort();',
    rows: ['R-7.1'],
  },
  {
    id: 'spawn/leaves-the-aborted-at-exit',
    in: 'transport-stdio ProcessDriver.abort',
    find: 'this.#$forgetAtExit ??= this.#$system.atExit($kill);',
    becomes: '',
    rows: ['R-7.1'],
  },
];
