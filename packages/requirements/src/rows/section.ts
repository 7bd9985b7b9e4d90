import type { Row } from '../row.ts';

/** Reads rows of the form `{ 'id slug': '[tag+tag] sentence' }`, which a person and a formatter can read line by line. */
export function section(source: string, sentences: Readonly<Record<string, string>>): readonly Row[] {
  return Object.entries(sentences).map(([key, text]) => {
    const [id = '', slug = ''] = key.split(' ');
    const [, tags = '', sentence = text] = /^\[([^\]]+)\] (.*)$/.exec(text) ?? [];
    return { id, slug, source, tags: tags === '' ? [] : tags.split(/[+/]/), sentence };
  });
}
