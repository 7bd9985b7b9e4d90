// One-line faults of WebSockets of the ingress, and of the choice between kinds of links; see ../faults.mjs.

const sockets = 'packages/ingress/src/socket';
const websocket = 'packages/transport-websocket/src';
const fallback = 'packages/core/src/transport/fallback';

const scenario = 'remote session with sockets';

/** @type {readonly import('./fault.mjs').Fault[]} */
export const webSockets = [
  {
    id: 'sockets/no-line-end',
    file: `${sockets}/socket-lines.ts`,
    line: 'event: ({ payload }) => `${payload}\\n`,',
    becomes: 'event: ({ payload }) => payload,',
    rows: ['I-E1'],
  },
  {
    id: 'sockets/no-unfinished-lines',
    file: `${websocket}/frame-decoder.ts`,
    line: 'if (!line.isWholeWith(rest)) return decoder.push(chunk);',
    becomes: 'if (!line.isWholeWith(rest) && lf < -1) return decoder.push(chunk);',
    rows: ['I-E2'],
  },
  {
    id: 'sockets/lets-everybody-in',
    file: `${websocket}/log-link.ts`,
    line: 'if (code !== undefined) return this.close(code);',
    becomes: '',
    rows: ['I-E3'],
  },
  {
    id: 'sockets/keeps-tokens',
    file: `${sockets}/posted-lines.ts`,
    line: "if (typeof entry === 'string' || entry.type !== 'auth') posted.push(entry);",
    becomes: 'posted.push(entry);',
    rows: ['I-E3'],
  },
  {
    id: 'sockets/hears-no-clients',
    file: `${sockets}/viewer-socket.ts`,
    line: 'if (stream !== undefined && streamOf(event) === stream) return true;',
    becomes: 'return true;',
    rows: ['I-E4'],
  },
  {
    id: 'sockets/answered-for-who-listens-only',
    file: `${sockets}/socket-lines.ts`,
    line: 'replayed: (event) => resolutionLine(event) ?? numberedFormat.replayed(event),',
    becomes: 'replayed: (event) => numberedFormat.replayed(event),',
    rows: ['R-8.2'],
  },
  {
    id: 'sockets/separators-as-they-are',
    file: 'packages/ingress/src/session/entry.ts',
    line: 'const isWritten = envelope === undefined && !/[\\n\\r\\u2028\\u2029]/.test(text);',
    becomes: 'const isWritten = envelope === undefined;',
    rows: ['I-E5'],
  },
  {
    id: 'sockets/superseded-may-come-back',
    file: `${sockets}/link-sink.ts`,
    line: 'export const bareWorkerCodes: CloseCodes = { ...closeCodes, superseded: 4003, archived: 4001 };',
    becomes: 'export const bareWorkerCodes: CloseCodes = { ...closeCodes, archived: 4001 };',
    rows: ['I-E6'],
  },
  {
    id: 'sockets/stays-corked',
    file: `${websocket}/log-link.ts`,
    line: 'socket.uncork?.();',
    becomes: '',
    tests: [`${websocket}/log-link.test.ts`],
  },
  {
    id: 'sockets/event-by-event',
    file: 'packages/ingress/src/node/accept-upgrade.ts',
    line: 'limitMessages(upgraded, socket, head.length, accept(withConnection(upgraded, socket)));',
    becomes: 'limitMessages(upgraded, socket, head.length, accept(upgraded));',
    tests: ['packages/ingress/src/node/accept-upgrade.test.ts'],
  },
  {
    id: 'sockets/never-asks',
    file: `${websocket}/socket-link.ts`,
    line: 'this.ping(this.#events.onBeat());',
    becomes: 'this.#events.onBeat();',
    rows: ['I-E7'],
  },
  {
    id: 'sockets/forgets-proofs',
    file: 'packages/ingress/src/session/session.ts',
    line: 'this.#provedUpTo = upTo;',
    becomes: '',
    rows: ['I-E8'],
  },
  {
    id: 'sockets/no-numbers',
    file: `${sockets}/socket-lines.ts`,
    line: 'event: ({ sequence, source, payload }) => loggedLine(sequence, source, payload),',
    becomes: 'event: ({ source, payload }) => loggedLine(undefined, source, payload),',
    rows: ['R-1.1'],
  },
  {
    id: 'sockets/no-gap',
    file: `${sockets}/socket-lines.ts`,
    line: "if (verdict.verdict === 'ok') return encodeLine({ ack: 0, from: cursor + 1 });",
    becomes: "if (verdict.verdict !== 'never') return encodeLine({ ack: 0, from: cursor + 1 });",
    rows: ['R-1.3'],
  },
  {
    id: 'connect/carries-nothing-over',
    file: `${fallback}-output.ts`,
    line: 'for (const batch of unproved) this.#carried.push(batch);',
    becomes: '',
    rows: ['R-33.2'],
  },
  {
    id: 'connect/begins-anew',
    file: `${fallback}-driver.ts`,
    line: 'const transport = (this.#present = way.open(this.#input.cursor));',
    becomes: 'const transport = (this.#present = way.open(undefined));',
    rows: ['R-33.2'],
  },
  // For random schedules to find.
  {
    id: 'moves/no-flush-on-move',
    file: `${fallback}-output.ts`,
    line: 'for (const batch of unproved) this.#carried.push(batch);',
    becomes: '',
    scenario,
  },
  {
    id: 'moves/begins-anew',
    file: `${fallback}-driver.ts`,
    line: 'const transport = (this.#present = way.open(this.#input.cursor));',
    becomes: 'const transport = (this.#present = way.open(undefined));',
    scenario,
  },
  {
    id: 'moves/hears-itself',
    file: `${fallback}-input.ts`,
    line: 'if (this.#hasMoved && this.#isEcho(item)) continue;',
    becomes: '',
    scenario,
  },
  {
    id: 'moves/acknowledges-what-is-not-stored',
    file: `${sockets}/inbox.ts`,
    line: 'await this.#options.store(lines);',
    becomes: 'void this.#options.store(lines).catch(() => {});',
    scenario,
  },
];
