// One-line faults of the stdio transport; see ../faults.mjs.

/** @type {readonly import('./fault.mjs').Fault[]} */
export const stdio = [
  {
    id: 'stdio/drops-last-line',
    file: 'packages/transport-stdio/src/stdio-transport.ts',
    line: 'this.#control.receive(incomingLines(this.#decoder.end()));',
    becomes: '',
    rows: ['S1-03'],
  },
  {
    id: 'stdio/writes-without-lf',
    file: 'packages/transport-stdio/src/stdio-transport.ts',
    line: 'return this.#output.write(text, (error) => {',
    becomes: 'return this.#output.write(text.trimEnd(), (error) => {',
    rows: ['S1-05', 'S2-01'],
  },
  {
    id: 'stdio/no-limit',
    file: 'packages/transport-stdio/src/stdio-transport.ts',
    line: '...(maxLineBytes !== undefined && { maxLineBytes }),',
    becomes: '',
    rows: ['R-5.3'],
  },
  {
    id: 'stdio/loses-chunks',
    file: 'packages/transport-stdio/src/stdio-transport.ts',
    line: "input.on('data', (chunk: Uint8Array | string) => control.receive(incomingLines(this.#decoder.push(chunk))));",
    becomes: "input.on('data', (chunk) => control.receive(incomingLines(createLineDecoder().push(chunk))));",
    rows: ['S1-02'],
  },
  {
    id: 'stdio/writes-in-slices',
    file: 'packages/transport-stdio/src/stdio-transport.ts',
    line: 'return this.#output.write(text, (error) => {',
    becomes:
      'for (; text.length > 2000; text = text.slice(2000)) this.#output.write(text.slice(0, 2000)); return this.#output.write(text, (error) => {',
    rows: ['S0-01', 'S0-03'],
  },
  {
    id: 'stdio/takes-no-decoder',
    file: 'packages/transport-stdio/src/stdio-transport.ts',
    line: 'this.#decoder = createDecoder({',
    becomes: 'this.#decoder = createLineDecoder({',
    rows: ['S4-18'],
  },
  {
    id: 'stdio/keeps-what-parsed',
    file: 'packages/transport-stdio/src/speculative-decoder.ts',
    line: "this.#held = '';",
    becomes: '',
    rows: ['S4-18'],
  },
  {
    id: 'stdio/waits-for-nothing',
    file: 'packages/transport-stdio/src/speculative-decoder.ts',
    line: 'return this.#bytes <= this.#limit && this.#brackets.isOpen ? [] : this.giveUp();',
    becomes: 'return this.giveUp();',
    rows: ['S4-18'],
  },
];
