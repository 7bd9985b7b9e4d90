import { win32 } from 'node:path';

// What npm, pnpm and yarn write beside a program: … "%dp0%\node_modules\agent\cli.js" %*
const TARGET = /"%(?:~dp0|dp0%)\\?([^"%]+\.(?:[cm]?js|exe))"\s+%\*/i;

/**
 * The script or program that a package manager's `.cmd` file starts; undefined where it is no such file. To run the `.cmd` itself
 * would take a shell, which reads arguments as its own language (CVE-2024-27980).
 */
export function shimTarget(path: string, text: string): string | undefined {
  const target = TARGET.exec(text)?.[1];
  return target === undefined ? undefined : win32.join(win32.dirname(path), target);
}

/** The file names that a command stands for, in the order in which they are tried: `.exe` before everything. */
export function windowsNames(command: string, pathExtensions = '.COM;.EXE;.BAT;.CMD'): string[] {
  if (/\.(?:exe|com|bat|cmd|[cm]?js)$/i.test(command)) return [command];
  const known = pathExtensions
    .toLowerCase()
    .split(';')
    .filter((extension) => /^\.(?:exe|com|bat|cmd)$/.test(extension));
  return Array.from(new Set(['.exe', ...known]), (extension) => command + extension);
}
