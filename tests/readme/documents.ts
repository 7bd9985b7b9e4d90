/** The documents of this repository: every Markdown file but generated and foreign ones. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const NOT_OURS = new Set(['node_modules', 'dist', '.git', '.turbo', '.changeset', 'testdata', 'fixtures']);

export interface Document {
  /** The path from the folder of the repository, such as `docs/wire.md`. */
  readonly name: string;
  readonly path: string;
  readonly text: string;
}

// The API reports in packages/*/api are generated from declarations, and are not prose.
export const documents: readonly Document[] = markdownIn(ROOT)
  .filter((path) => !path.endsWith('.api.md'))
  .map((path) => ({
    name: relative(ROOT, path).replaceAll('\\', '/'),
    path,
    text: readFileSync(path, 'utf8'),
  }));

/** A block of code in a document. */
export interface Block {
  /** The place in the document, counted from 1 among the blocks of all languages. */
  readonly place: number;
  readonly language: string;
  readonly code: string;
}

export function blocksOf(text: string): Block[] {
  return Array.from(text.matchAll(/^```([\w-]*)\n(.*?)^```/gms), ([, language = '', code = ''], at) => {
    return { place: at + 1, language, code };
  });
}

/** The text without its blocks of code. */
export function proseOf(text: string): string {
  return text.replaceAll(/^```.*?^```/gms, '');
}

function markdownIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return NOT_OURS.has(basename(path)) ? [] : markdownIn(path);
    return entry.name.endsWith('.md') ? [path] : [];
  });
}
