/** @typedef {import('./form.mjs').Block} Block */
/** @typedef {import('./form.mjs').Page} Page */
/** @typedef {import('./form.mjs').Problem} Problem */
/** @typedef {typeof import('../../packages/core/src/messages/index.ts').parseMessage} ParseMessage */

/**
 * Checks the examples. Each block of JSON follows a line that begins with "Example" and ends with a colon. A block of the agent or the host has one
 * valid message on each line; any other block is one JSON value.
 * @param {Page} page
 * @param {ParseMessage} parseMessage
 * @returns {readonly Problem[]}
 */
export function checkExamples({ file, blocks }, parseMessage) {
  return blocks.flatMap((block) => {
    const found = problemOf(block, parseMessage);
    return found === undefined ? [] : [{ file, line: block.line, text: found }];
  });
}

/** @param {Block} block @param {ParseMessage} parseMessage @returns {string | undefined} */
function problemOf({ kind, before, text }, parseMessage) {
  if (kind === '') return 'Name the kind of this block: json, mermaid, text or another.';
  if (kind === 'mermaid') return problemOfDiagram(text);
  if (kind !== 'json') return undefined;
  if (!/^Example\b.*:$/.test(before)) {
    return 'A line before this block must begin with "Example" and end with a colon, as in "Example, from the agent:".';
  }
  const [, side] = /^Example, from the (agent|host)\b/.exec(before) ?? [];
  if (side === undefined) return jsonOf(text) === undefined ? 'The example is not JSON.' : undefined;
  const direction = side === 'agent' ? 'from-agent' : 'from-host';
  for (const row of text.split('\n')) {
    const value = jsonOf(row)?.value;
    if (value === undefined) return 'Each line of the example must be a JSON object.';
    const parsed = parseMessage(value, { direction, mode: 'strict' });
    if (parsed.kind === 'invalid') {
      const issues = parsed.issues.map(({ path, message }) => `${path.join('.')} ${message}`.trim());
      return `The example is not a valid message of the ${side}: ${issues.join('; ')}.`;
    }
  }
  return undefined;
}

/** @param {string} text @returns {{ value: unknown } | undefined} */
function jsonOf(text) {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

const NAME = String.raw`(?:\[\*\]|\w+)`;

/** The statements that the diagrams of the specification use. Mermaid has more; add a kind here when a diagram needs it. */
const DIAGRAMS = {
  'stateDiagram-v2': [
    new RegExp(`^${NAME} --> ${NAME}(: .+)?$`),
    /^state "[^"]+" as \w+$/,
    /^state \w+( <<(choice|fork|join)>>)?( \{)?$/,
    /^\w+( ?: .+)?$/,
    /^\}$/,
    /^direction (TB|LR)$/,
    /^note (right|left) of \w+( ?: .+)?$/,
    /^end note$/,
  ],
  sequenceDiagram: [
    /^(participant|actor) \w+( as .+)?$/,
    /^\w+(->>|-->>|-x|--x|->|-->|-\)|--\))[+-]?\w+ ?: .+$/,
    /^[Nn]ote (over \w+(, ?\w+)?|right of \w+|left of \w+) ?: .+$/,
    /^(loop|alt|opt|par|and|else|critical|break|rect)( .+)?$/,
    /^(end|autonumber)$/,
    /^(activate|deactivate) \w+$/,
  ],
};

/** Mermaid itself needs a browser. The lines of the kinds in use are checked here. @param {string} text @returns {string | undefined} */
function problemOfDiagram(text) {
  const [first = '', ...lines] = text.split('\n').map((line) => line.trim());
  const known = Object.entries(DIAGRAMS).find(([kind]) => kind === first);
  if (known === undefined)
    return `A diagram begins with ${Object.keys(DIAGRAMS).join(' or ')}; this one begins with "${first}".`;
  for (const line of lines) {
    if (line === '' || line.startsWith('%%')) continue;
    // Mermaid interprets both characters as the end of a statement.
    if (/[;#]/.test(line)) return `Mermaid ends a statement at ";" and "#": "${line}".`;
    if (!known[1].some((statement) => statement.test(line)))
      return `This line is not a statement of a ${first}: "${line}".`;
  }
  return undefined;
}
