// One-line faults of recordings and of what is left out of them; see ../faults.mjs.

const FOLDER = 'packages/testkit/src';

/** @type {readonly import('./fault.mjs').Fault[]} */
export const recording = [
  {
    id: 'record/with-secrets',
    file: `${FOLDER}/recording/record-transport.ts`,
    line: 'const { side, redactor = createRedactor() } = options;',
    becomes: 'const { side, redactor = false } = options;',
    rows: ['R-34.1'],
  },
  {
    id: 'record/pieces-one-by-one',
    file: `${FOLDER}/recording/entry-redactor.ts`,
    line: 'if (piece !== undefined) open.add(piece.key);',
    becomes: 'if (piece !== undefined) open.clear();',
    rows: ['R-34.1'],
  },
  {
    id: 'record/only-what-is-sent',
    file: `${FOLDER}/recording/record-transport.ts`,
    line: 'else for (const item of next.value) this.#arrived(item);',
    becomes: '',
    rows: ['R-20.2'],
  },
  {
    id: 'record/without-ends',
    file: `${FOLDER}/recording/record-transport.ts`,
    line: 'this.#entry({ dir, end: true });',
    becomes: '',
    rows: ['R-20.2'],
  },
  {
    id: 'record/encodes-anew',
    file: `${FOLDER}/redaction/redactor.ts`,
    line: 'return walk.redacted.length === 0 ? { text: line, redacted: [] } : { text, redacted: walk.redacted };',
    becomes: 'return { text, redacted: walk.redacted };',
    rows: ['R-20.2'],
  },
  {
    id: 'redact/forgets-the-environment',
    file: `${FOLDER}/redaction/redactor.ts`,
    line: 'const known = [...new Set(values.flatMap(formsOf))];',
    becomes: 'const known = secrets;',
    rows: ['R-34.1'],
  },
  {
    id: 'redact/forgets-places',
    file: `${FOLDER}/redaction/redactor.ts`,
    line: 'const patterns = paths.map(parsePath);',
    becomes: 'const patterns: PathPattern[] = [];',
    rows: ['R-34.1'],
  },
  {
    id: 'redact/forgets-a-shape',
    file: `${FOLDER}/redaction/secret-shapes.ts`,
    line: String.raw`/\bgl(?:pat|ptt|rt|dt|cbt|soat)-[\w-]{16,}/dg,`,
    becomes: '',
    rows: ['R-34.1'],
  },
  {
    id: 'redact/forgets-headers',
    file: `${FOLDER}/redaction/secret-names.ts`,
    line: "return container === 'headers' && !HARMLESS_HEADERS.test(name);",
    becomes: 'return false;',
    rows: ['R-34.1'],
  },
  {
    id: 'replay/takes-anything',
    file: `${FOLDER}/recording/replay.ts`,
    line: 'if (differences.length > 0) throw divergence(at, entry, differences);',
    becomes: '',
    rows: ['R-20.2'],
  },
  {
    id: 'replay/keeps-old-ids',
    file: `${FOLDER}/recording/replay.ts`,
    line: 'const text = frames.translated(entry.line);',
    becomes: 'const text = entry.line;',
    rows: ['R-20.3'],
  },
  {
    id: 'replay/knows-no-time',
    file: `${FOLDER}/recording/replay.ts`,
    line: 'await pause((entry.t - before) / speed, transport);',
    becomes: '',
    rows: ['R-20.2'],
  },
];
