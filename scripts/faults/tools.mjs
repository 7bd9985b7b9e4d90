// Faults of adapters, recordings and the command line; see ../faults.mjs.

/** @type {readonly import('./plant.mjs').Fault[]} */
export const tools = [
  {
    id: 'adapters/chunk-is-a-line',
    in: 'adapters RecordDecoder.push',
    find: 'this.#$decoder.push($chunk.slice($at));',
    becomes: 'this.#$decoder.end();',
    rows: ['S3-06'],
  },
  {
    id: 'adapters/prompt-not-apart',
    in: 'adapters buildInvocation',
    find: "if ($flag !== undefined && $join === '=') return [`${$flag}=${$prompt}`];",
    becomes: '',
    rows: ['S3-14'],
  },
  {
    id: 'adapters/record-not-kept',
    in: 'adapters EventOrder.take',
    find: 'const $origin = $raw === undefined ? {} : { raw: $raw };',
    becomes: 'const $origin = {};',
    rows: ['R-30.1'],
  },
  {
    id: 'replay/takes-anything',
    in: 'recording replay',
    find: 'if ($differences.length > 0) throw $divergence($at, $entry, $differences);',
    becomes: '',
    rows: ['R-20.2'],
  },
  {
    id: 'redact/forgets-the-environment',
    in: 'recording createRedactor',
    find: 'const $known = [...new Set($values.flatMap($formsOf))];',
    becomes: 'const $known = secrets;',
    rows: ['R-34.1'],
  },
  {
    id: 'record/without-ends',
    in: 'recording recordTransport',
    find: 'this.#$entry({ dir: $dir, end: true });',
    becomes: '',
    rows: ['R-20.2'],
  },
  {
    id: 'bridge/anybody-comes-in',
    in: 'cli listen',
    find: "$token !== undefined && !$isSame($authorization.replace(/^Bearer /i, ''), $token)",
    becomes: '$token === `${$authorization} `',
    tests: ['packages/cli/src/commands/bridge-listen.test.ts'],
  },
  {
    id: 'commands/serve-listens-to-all',
    in: 'cli planServe',
    find: '!isLoopback($address.hostname) && $options.dangerouslyListenOnNetwork !== true',
    becomes: '$address.hostname === undefined && $options.dangerouslyListenOnNetwork',
    tests: ['packages/cli/src/serve/flags.test.ts'],
  },
  {
    id: 'worker/forgets-the-conversation',
    in: 'worker startSessionAgent',
    find: 'if ($watch.results > 0) this.#$conversation = $watch.conversation;',
    becomes: '',
    tests: ['packages/worker/src/session-agents.test.ts'],
  },
];
