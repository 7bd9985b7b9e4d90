import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const folder = new URL('page/', import.meta.url);

// The page may load only its own scripts and styles, and connect only to its own server. It cannot be framed, and no text becomes HTML.
const HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; '),
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-store',
};

/** Reads the files of the page, and bundles its script with the packages that it uses. Returns the function from a path to a response, or undefined. */
export async function loadPages() {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('app.mjs', folder))],
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    minify: true,
    write: false,
  });
  const files = new Map([
    ['/', { type: 'text/html; charset=utf-8', body: await readFile(new URL('index.html', folder)) }],
    ['/page/style.css', { type: 'text/css; charset=utf-8', body: await readFile(new URL('style.css', folder)) }],
    ['/page/app.js', { type: 'text/javascript; charset=utf-8', body: outputFiles[0].contents }],
  ]);
  return (path) => {
    const file = files.get(path);
    return file && new Response(file.body, { headers: { ...HEADERS, 'content-type': file.type } });
  };
}
