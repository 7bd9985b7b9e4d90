import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const OPENERS: Readonly<Record<string, readonly [command: string, ...args: string[]]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};

/**
 * Opens an address in a browser on this machine. Other users can see the browser's command line, so the command line names a private file that
 * redirects to the address. Returns the function that removes the file. `onError` is called if no browser can be opened.
 */
export function openBrowser(address: string, onError: (message: string) => void): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'sjp-open-'));
  const file = join(folder, 'inspector.html');
  const page = `<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0;url=${address}">`;
  writeFileSync(file, page, { mode: 0o600 });
  const [command, ...args] = OPENERS[platform()] ?? ['xdg-open'];
  const child = spawn(command, [...args, pathToFileURL(file).href], { stdio: 'ignore', detached: true });
  child.on('error', ({ message }) => onError(`cannot open a browser: ${message}`));
  child.unref();
  return () => rmSync(folder, { recursive: true, force: true });
}
