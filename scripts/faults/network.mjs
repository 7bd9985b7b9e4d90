// One-line faults of the network transports; see ../faults.mjs.

const sse = 'packages/transport-sse/src';
const websocket = 'packages/transport-websocket/src';

/** @type {readonly import('./fault.mjs').Fault[]} */
export const network = [
  {
    id: 'network/patience-is-refused',
    file: `${sse}/status.ts`,
    line: 'const PASSING = [408, 425, 429];',
    becomes: 'const PASSING = [408, 425];',
    rows: ['R-2.1'],
  },
  {
    id: 'network/restart-is-the-end',
    file: `${websocket}/close-codes.ts`,
    line: 'return closeCodes[code] ?? RETRY;',
    becomes: 'return closeCodes[code] ?? REFUSED;',
    rows: ['R-2.1'],
  },
  {
    id: 'network/refreshes-each-time',
    file: `${sse}/credential.ts`,
    line: 'if (this.#credential?.token !== token) return;',
    becomes: '',
    rows: ['R-12.2'],
  },
  {
    id: 'network/delivers-again',
    file: `${websocket}/resumable-mode.ts`,
    line: 'if (id <= this.#received) return false;',
    becomes: '',
    rows: ['R-1.2'],
  },
  {
    id: 'network/keeps-nothing-alive',
    file: `${websocket}/bare-mode.ts`,
    line: 'const KEEP_ALIVE = \'{"type":"keep_alive"}\\n\';',
    becomes: "const KEEP_ALIVE = '\\n';",
    rows: ['S2-59'],
  },
  {
    id: 'network/sends-frame-by-frame',
    file: `${websocket}/socket-link.ts`,
    line: 'this.socket.cork?.();',
    becomes: '',
    tests: ['packages/transport-websocket/src/node/with-connection.test.ts'],
  },
  {
    id: 'network/stays-corked',
    file: `${websocket}/socket-link.ts`,
    line: '} finally {',
    becomes: '} catch (error) { throw error; } {',
    tests: ['packages/transport-websocket/src/socket-transport.test.ts'],
  },
];
