import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';

// The possible folders of the page: the parent folder of a bundled program, or `dist` of this package.
const FOLDERS = [new URL('../', import.meta.url), new URL('../../dist/', import.meta.url)];

/** The page, and the policy for its content. */
export interface InspectorPage {
  readonly html: string;
  readonly contentSecurityPolicy: string;
}

/** Reads the page. Rejects if the package was not built. */
export async function readPage(): Promise<InspectorPage> {
  const html = await readBuilt('inspector.html');
  return { html, contentSecurityPolicy: policyOf(html) };
}

/** Reads the descriptions from the schemas, as JSON. */
export function readSentences(): Promise<string> {
  return readBuilt('inspector-schemas.json');
}

async function readBuilt(name: string): Promise<string> {
  for (const folder of FOLDERS) {
    const text = await readFile(new URL(name, folder), 'utf8').catch(() => undefined);
    if (text !== undefined) return text;
  }
  throw new Error(`${name} is missing: this installation is not complete`);
}

/** Returns a policy that allows only the page's script and style (by their hashes) and requests to the page's server. */
function policyOf(html: string): string {
  const hashes = (tag: string) =>
    [...html.matchAll(new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`, 'g'))]
      .map(([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`)
      .join(' ');
  return [
    "default-src 'none'",
    `script-src ${hashes('script')}`,
    `style-src ${hashes('style')}`,
    // The script also runs as a worker, which is created from the script's text.
    'worker-src blob:',
    "connect-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types inspector-worker',
  ].join('; ');
}
