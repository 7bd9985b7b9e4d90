/**
 * A text that `slice` cuts at a fixed length may end in half of a character. So `cutText` of core cuts texts. `slice` with a fixed length is allowed for
 * lists, and for the ASCII texts that this file lists.
 */
import { parseSync } from 'oxc-parser';
import { expect, test } from 'vitest';

type Node = { readonly type: string } & Readonly<Record<string, unknown>>;

const { readSources } = await import(new URL('../../scripts/house/sources.mjs', import.meta.url).href);
const sources = readSources() as readonly { readonly path: string; readonly text: string; readonly tree: Node }[];

/** Values that may be cut at a fixed length, because they are lists, bytes or ASCII, or are only inspected: the file, and the code before `.slice`. */
const NO_TEXTS: readonly string[] = [
  'packages/agent/src/controls/session-title.ts: characters',
  'conformance/src/agent/rules/turns/life-rules.ts: text',
  'conformance/src/reporters/text.ts: rows',
  'conformance/src/server/rules/errors/answer-rules.ts: token',
  "packages/headless/src/environment-variables.ts: cwd.replace(/[^a-zA-Z0-9]+/g, '-')",
  'packages/headless/src/sessions/host-transcript.ts: name',
  'packages/core/src/messages/leave-out.ts: stop',
  'packages/host/src/state/session-tracker.ts: tasks',
  'packages/host/src/view/background-tasks.ts: listed',
  'server/ingress/src/node/stored-sessions.ts: ids',
  'apps/inspector/src/page/engine/conformance-case.ts: slug',
  'apps/inspector/src/page/engine/explain-message.ts: values',
  'apps/inspector/src/page/engine/message-schemas.ts: issues',
  'apps/inspector/src/page/view/waiting-requests.tsx: waiting',
  'packages/permissions/src/shell/found-commands.ts: given',
  'packages/recording/src/diff/frame-index.ts: frames',
  'packages/recording/src/redaction/likely-secret.ts: body',
  'packages/recording/src/redaction/likely-secret.ts: text',
  'packages/recording/src/replay/replay.ts: issues',
  'apps/terminal/src/files/diff-writer.ts: members',
  'packages/transport-sse/src/worker/internal-events.ts: rows',
];

/** Matches code that returns a list or an ASCII text. */
const LISTS =
  /\]$|\.(?:split|map|filter|flatMap|sort|toSorted|entries|keys|values|digest|from|range)\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)$/s;

function isNode(value: unknown): value is Node {
  return typeof (value as Node | null)?.type === 'string';
}

function* nodesOf(node: Node): Generator<Node> {
  yield node;
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) yield* nodesOf(child);
  }
}

const textOf = (text: string, { start, end }: Node) => text.slice(Number(start), Number(end));

/** True if a limit is fixed: a number above 8 (smaller ones test a prefix), a constant, or a parameter such as `length` or `max…`, also negated. */
function isFixed(text: string, node: Node | undefined): boolean {
  if (node === undefined) return false;
  const limit = textOf(text, node).replace(/^-/, '');
  return /^\d[\d_]*$/.test(limit)
    ? Number(limit.replaceAll('_', '')) > 8
    : /^(?:[A-Z][A-Z\d_]*|max[A-Z]\w*|length|width|columns)(?: - \d+)?$/.test(limit);
}

/** The code before each cut of a file that `cutText` should make. */
function cutsOf(text: string, tree: Node): readonly string[] {
  return [...nodesOf(tree)].flatMap((node) => {
    const { object, property } = (isNode(node['callee']) ? node['callee'] : {}) as { object?: Node; property?: Node };
    if (node.type !== 'CallExpression' || object === undefined || property === undefined) return [];
    if (!['slice', 'substring', 'substr'].includes(textOf(text, property))) return [];
    const [from, to] = node['arguments'] as readonly Node[];
    const isBeginning = from !== undefined && textOf(text, from) === '0' && isFixed(text, to);
    const isEnd = from?.type === 'UnaryExpression' && to === undefined && isFixed(text, from);
    const cut = textOf(text, object);
    return (isBeginning || isEnd) && !LISTS.test(cut) ? [cut.replace(/\s+/g, ' ')] : [];
  });
}

test('no source cuts a text at a fixed length but by cutText', () => {
  const found = sources.flatMap(({ path, text, tree }) => cutsOf(text, tree).map((cut) => `${path}: ${cut}`));
  expect(new Set(found)).toEqual(new Set(NO_TEXTS));
});

test.for([
  'text.slice(0, MAX_LENGTH);',
  'text.substring(0, 200);',
  'a.b().slice(0, length - 1);',
  'text.slice(-MAX_LENGTH);',
])('the check finds %s', (code) => {
  expect(cutsOf(code, parseSync('a.ts', code).program as unknown as Node)).toHaveLength(1);
});

test.for([
  'text.slice(0, at);',
  'text.slice(1, 20);',
  '[...text].slice(0, 20);',
  'text.slice(-1);',
  'a.map((b) => b).slice(0, MAX);',
])('the check allows %s', (code) => {
  expect(cutsOf(code, parseSync('a.ts', code).program as unknown as Node)).toEqual([]);
});
