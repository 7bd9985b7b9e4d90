/**
 * Other programs add words after their sentences from one version to the next. So a pattern over such a sentence matches its beginning: no regular expression
 * of several words ends with `$`, and no message of an error is compared as a whole.
 */
import { parseSync } from 'oxc-parser';
import { expect, test } from 'vitest';

type Node = { readonly type: string } & Readonly<Record<string, unknown>>;

const { readSources } = await import(new URL('../../scripts/house/sources.mjs', import.meta.url).href);
const sources = readSources() as readonly { readonly path: string; readonly text: string; readonly tree: Node }[];

/** Exceptions: the file, and the code of a comparison with several words that are not a sentence of another program. */
const OWN: readonly string[] = [];

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

/** True if a pattern has words with a space between them, and ends with `$`. */
function isWholeSentence(pattern: string): boolean {
  return /[A-Za-z]{2}[^A-Za-z[\\]{0,4} (?:\(\?:)?[A-Za-z]{2}/.test(pattern) && /[^\\]\$\)?$/.test(pattern);
}

/** The code that compares whole sentences. */
function comparisonsOf(text: string, tree: Node): readonly string[] {
  return [...nodesOf(tree)].flatMap((node) => {
    const { regex, operator, left, right } = node as Node & { regex?: { pattern: string }; left?: Node; right?: Node };
    if (regex !== undefined) return isWholeSentence(regex.pattern) ? [textOf(text, node)] : [];
    if (node.type !== 'BinaryExpression' || !/^[!=]==?$/.test(String(operator)) || !left || !right) return [];
    const isMessage = /(?:^|\.)(?:message|stderr|stderrTail)$/.test(textOf(text, left));
    const isSentence = /^(?:'.* .*'|[A-Z][A-Z_]+)$/.test(textOf(text, right));
    return isMessage && isSentence ? [textOf(text, node)] : [];
  });
}

test('no source compares a whole sentence of another program', () => {
  const found = sources.flatMap(({ path, text, tree }) => comparisonsOf(text, tree).map((code) => `${path}: ${code}`));
  expect(found).toEqual(OWN);
});

const found = (code: string) => comparisonsOf(code, parseSync('a.ts', code).program as unknown as Node);

test.for([
  '/^operation (?:was )?cancelled$/i.test(error);',
  '/^(?:error: )?(?:user )?cancelled by the user[.!]?$/;',
  "error.message === 'bad port';",
  'message !== BAD_PORT;',
])('the check finds %s', (code) => {
  expect(found(code)).toHaveLength(1);
});

test.for([
  '/^operation (?:was )?cancelled/i.test(error);',
  '/^\\d+ ms$/.test(text);',
  "error.message.startsWith('bad port');",
  'message === undefined;',
  "message.type === 'a type';",
])('the check allows %s', (code) => {
  expect(found(code)).toEqual([]);
});
