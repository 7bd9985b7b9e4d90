import { verifies } from '@proto/requirements';
import { expect } from 'vitest';
import { shimTarget } from './windows-shim.ts';

const lines = (...text: string[]) => text.join('\r\n');
const SHIMS: Readonly<Record<string, [shim: string, target: string | undefined]>> = {
  'npm, a script': [
    lines(
      'IF EXIST "%dp0%\\node.exe" (',
      '  SET "_prog=%dp0%\\node.exe"',
      ')',
      'endLocal & goto #_undefined_# 2>NUL || title %COMSPEC% & "%_prog%"  "%dp0%\\node_modules\\@scope\\a b\\cli.mjs" %*',
    ),
    'C:\\bin\\node_modules\\@scope\\a b\\cli.mjs',
  ],
  'npm, a program': [
    lines('SETLOCAL', '"%dp0%\\node_modules\\agent\\agent.exe"   %*'),
    'C:\\bin\\node_modules\\agent\\agent.exe',
  ],
  pnpm: [
    lines(
      '@IF EXIST "%~dp0\\node.exe" (',
      '  "%~dp0\\node.exe"  "%~dp0\\..\\agent\\bin\\cli.js" %*',
      ') ELSE (',
      '  node  "%~dp0\\..\\agent\\bin\\cli.js" %*',
      ')',
    ),
    'C:\\agent\\bin\\cli.js',
  ],
  'a batch file of somebody': [lines('@echo off', 'python "%~dp0\\agent.py" %*'), undefined],
  'one that takes no arguments': ['"%~dp0\\agent.exe"', undefined],
  'a variable in the path': ['"%~dp0\\%WHERE%\\agent.exe" %*', undefined],
};

verifies('R-21.2', 'the shims of npm and pnpm lead to what they start, anything else to nothing', () => {
  for (const [name, [shim, target]] of Object.entries(SHIMS)) {
    expect(shimTarget('C:\\bin\\agent.cmd', shim), name).toBe(target);
  }
});
