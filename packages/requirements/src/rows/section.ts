import type { Row } from '../row.ts';

/** Makes rows of `{ id: '[tag+tag] sentence' }`, the form which keeps a row on one line for a reader and a formatter alike. */
export function section(source: string, sentences: Readonly<Record<string, string>>): readonly Row[] {
  return Object.entries(sentences).map(([id, text]) => {
    const [, tags = '', sentence = text] = /^\[([^\]]+)\] (.*)$/.exec(text) ?? [];
    return { id, source, tags: tags === '' ? [] : tags.split(/[+/]/), sentence };
  });
}
