import { verifies } from '@proto/test-support/verifies';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { AgentNotFoundError } from './agent-errors.ts';
import { fakeSystem } from './fake-system.test-support.ts';
import { findExecutable, shimTarget } from './find-executable.ts';
import type { System } from './system.ts';

const find = (system: System, command: string, installHint?: string) =>
  findExecutable(command, system.env, system, { installHint });

function failure(system: System, command: string, hint?: string) {
  try {
    find(system, command, hint);
  } catch (error) {
    return AgentNotFoundError.find(error);
  }
  throw new Error('the executable was found');
}

describe('an executable', () => {
  verifies('PROC-2', 'is a given path without a search', () => {
    const system = fakeSystem({ env: { PATH: '/bin' }, files: { '/opt/agent': '', '/bin/agent': '' } });
    expect(find(system, '/opt/agent')).toEqual({ file: '/opt/agent', args: [] });
    expect(find(system, '/opt/../bin/agent')).toEqual({ file: '/bin/agent', args: [] });
    expect(failure(system, '/usr/agent')?.searched).toEqual(['/usr/agent']);
  });

  verifies('PROC-2', 'is the first executable file on the PATH of the child', () => {
    const files = { '/a/agent': '', '/b/agent': '', '/c/agent': '' };
    const system = fakeSystem({ env: { PATH: '/c' }, files, plain: ['/a/agent'] });
    expect(findExecutable('agent', { PATH: '/a:/b:/c' }, system)).toEqual({ file: '/b/agent', args: [] });
    // Without a PATH for the child, the PATH of this process is used.
    expect(findExecutable('agent', {}, system)).toEqual({ file: '/c/agent', args: [] });
  });

  verifies('PROC-2', 'is also looked up in the install folders of agents, after the PATH', () => {
    const claude = '/home/ada/.claude/local/claude';
    const system = fakeSystem({ env: { PATH: '/bin' }, files: { [claude]: '', '/home/ada/.local/bin/other': '' } });
    expect(find(system, 'claude').file).toBe(claude);
    expect(find(system, 'other').file).toBe('/home/ada/.local/bin/other');
    expect(failure(system, 'agent')?.searched).toEqual([
      '/bin/agent',
      '/home/ada/.local/bin/agent',
      '/home/ada/.npm-global/bin/agent',
      '/home/ada/.bun/bin/agent',
      '/home/ada/.yarn/bin/agent',
      '/home/ada/node_modules/.bin/agent',
      '/home/ada/.agent/local/agent',
      '/usr/local/bin/agent',
      '/opt/homebrew/bin/agent',
    ]);
  });

  test('is never looked up in a folder relative to the working directory', () => {
    const system = fakeSystem({ env: { PATH: ':.:node_modules/.bin' }, files: { agent: '', './agent': '' } });
    expect(failure(system, 'agent')?.searched.filter((path) => !path.startsWith('/'))).toEqual([]);
  });

  test('is never looked up in the working directory when PATH or the home folder is empty', () => {
    const files = { agent: '', '.local/bin/agent': '', 'node_modules/.bin/agent': '', '.agent/local/agent': '' };
    for (const PATH of ['', ':', ':/bin', '/bin:', '/bin::/usr/bin', '.', '..']) {
      const system = { ...fakeSystem({ env: { PATH }, files }), home: () => '' };
      const relative = failure(system, 'agent')?.searched.filter((path) => !path.startsWith('/'));
      expect(relative).toEqual([]);
    }
    expect(failure(fakeSystem({ files }), 'agent')?.searched[0]).toBe('/home/ada/.local/bin/agent');
  });

  verifies('PROC-2', 'that is a script runs with the Node of this process', () => {
    const system = fakeSystem({
      files: { '/x/agent.mjs': '', '/x/agent.cjs': '', '/x/agent.js': '' },
      plain: ['/x/agent.js'],
    });
    for (const path of ['/x/agent.mjs', '/x/agent.cjs', '/x/agent.js']) {
      expect(find(system, path)).toEqual({ file: '/opt/node', args: [path] });
    }
    expect(failure(system, 'cli.js')?.searched).toEqual([`${process.cwd()}/cli.js`]);
  });
});

describe('AgentNotFoundError', () => {
  verifies(['FAIL-4', 'PROC-2'], 'has a code, the searched places and an install hint', () => {
    const system = fakeSystem({ env: { PATH: '/bin:/usr/bin' } });
    const error = failure(system, 'claude');
    expect(error).toMatchObject({ code: 'agent-not-found', retryable: false });
    expect(error?.searched.slice(0, 2)).toEqual(['/bin/claude', '/usr/bin/claude']);
    expect(error?.hint).toContain('npm install -g @anthropic-ai/claude-code');
    expect(error?.message).toContain(error?.hint);
    expect(failure(system, 'other')?.hint).toContain('PATH');
    expect(failure(system, 'other', 'brew install other')?.hint).toBe('brew install other');
    expect(failure(system, '')?.searched).toEqual([]);
  });

  test('says when a file exists but is not executable', () => {
    const system = fakeSystem({ env: { PATH: '/bin' }, files: { '/bin/agent': '' }, plain: ['/bin/agent'] });
    expect(failure(system, 'agent')?.hint).toContain('/bin/agent is not executable');
  });

  verifies('PROC-2', 'has a one-line message with the kinds of places that were searched', () => {
    const system = fakeSystem({ env: { PATH: '/bin:/usr/bin' } });
    const hint = 'Install it, add its folder to PATH, or give its path.';
    expect(failure(system, 'other')?.message).toBe(
      `stdio: no agent "other" on PATH or in the folders that installers use. ${hint}`,
    );
    expect(failure(system, '/opt/other')?.message).toBe('stdio: no agent "/opt/other". The file does not exist.');
    expect(failure(system, '../other.mjs')?.message).toContain(`${resolve('../other.mjs')} does not exist.`);
  });

  test('names a program in node_modules/.bin of the project, which is never run by its name alone', () => {
    const path = join(process.cwd(), 'node_modules/.bin/agent');
    const above = join(process.cwd(), '../../node_modules/.bin/other');
    const system = fakeSystem({ env: { PATH: '/bin' }, files: { [path]: '', [above]: '' } });
    const error = failure(system, 'agent');
    expect(error?.hint).toContain(`${path} exists`);
    expect(error?.hint).toContain('npx agent');
    expect(error?.searched).not.toContain(path);
    expect(failure(system, 'other')?.hint).toContain(above);
    expect(failure(system, 'none')?.hint).not.toContain('npx');
    // The working directory of the agent counts as well.
    const elsewhere = fakeSystem({
      env: { PATH: '/bin' },
      files: { '/a-folder-of-another/node_modules/.bin/agent': '' },
    });
    expect(failure(elsewhere, 'agent')?.hint).not.toContain('npx');
    const find = () => findExecutable('agent', {}, elsewhere, { cwd: '/a-folder-of-another/deep' });
    expect(find).toThrow('/a-folder-of-another/node_modules/.bin/agent exists');
  });

  verifies('FAIL-4', 'is found among the causes of another error', () => {
    const error = failure(fakeSystem(), 'agent');
    expect(AgentNotFoundError.find(new Error('outer', { cause: new Error('inner', { cause: error }) }))).toBe(error);
    expect(AgentNotFoundError.find(new Error('outer'))).toBeUndefined();
    const endless = new Error('endless');
    endless.cause = endless;
    expect(AgentNotFoundError.find(endless)).toBeUndefined();
  });
});

describe('on Windows', () => {
  const NPM = String.raw`C:\Users\ada\AppData\Roaming\npm`;
  const SHIM = `@ECHO off\r\n...\r\nendLocal & goto #_undefined_# 2>NUL || title %COMSPEC% & "%_prog%"  "%dp0%\\node_modules\\agent\\cli.js" %*\r\n`;
  const SCRIPT = String.raw`${NPM}\node_modules\agent\cli.js`;
  // Names as in a copy of the environment.
  const windows = (files: Record<string, string>, env: Record<string, string> = {}) =>
    fakeSystem({ platform: 'win32', env: { Path: String.raw`C:\one;C:\two;relative`, ...env }, files });

  verifies('PROC-13', 'a name is looked up with PATHEXT, .exe first, in each folder of the PATH', () => {
    const files = { 'C:\\one\\agent.com': '', 'C:\\one\\agent.exe': '', 'C:\\two\\agent.exe': '' };
    expect(find(windows(files), 'agent')).toEqual({ file: 'C:\\one\\agent.exe', args: [] });
    expect(find(windows(files), 'agent.com').file).toBe('C:\\one\\agent.com');
    const known = (env?: Record<string, string>) =>
      failure(windows({}, env), 'agent')?.searched.filter((path) => path.startsWith('C:\\one\\'));
    expect(known()).toEqual(['exe', 'com', 'bat', 'cmd'].map((name) => `C:\\one\\agent.${name}`));
    expect(known({ PATHEXT: '.CMD;.PY;.EXE' })).toEqual(['C:\\one\\agent.exe', 'C:\\one\\agent.cmd']);
  });

  test('no folder relative to the working directory or its drive is searched', () => {
    const system = {
      ...windows({}, { Path: String.raw`;;.;tools;\tools;C:tools;C:/one;\\server\share`, APPDATA: '' }),
      home: () => '',
    };
    const searched = failure(system, 'agent.exe')?.searched;
    expect(searched).toEqual([String.raw`C:\one\agent.exe`, String.raw`\\server\share\agent.exe`]);
  });

  verifies('PROC-13', 'a package manager shim is not run: node runs the script that the shim names', () => {
    const files = { 'C:\\one\\agent': '#!/bin/sh', [`${NPM}\\agent.cmd`]: SHIM, [SCRIPT]: '' };
    const env = { APPDATA: String.raw`C:\Users\ada\AppData\Roaming` };
    expect(find(windows(files, env), 'agent')).toEqual({ file: 'C:\\node\\node.exe', args: [SCRIPT] });
    expect(find(windows(files), `${NPM}\\agent.cmd`)).toEqual({ file: 'C:\\node\\node.exe', args: [SCRIPT] });
  });

  verifies('PROC-13', 'any other .cmd or .bat file is refused with a hint', () => {
    for (const name of ['agent.cmd', 'agent.bat']) {
      const path = `C:\\one\\${name}`;
      const error = failure(windows({ [path]: '@echo off\r\necho %*\r\n' }), 'agent');
      expect(error?.hint).toContain(`${path} needs a shell`);
    }
    // A shim whose script does not exist is refused too.
    expect(failure(windows({ 'C:\\one\\agent.cmd': SHIM }), 'agent')?.hint).toContain('needs a shell');
  });
});

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

verifies('PROC-13', 'the targets of npm and pnpm shims are found, and other files have no target', () => {
  for (const [name, [shim, target]] of Object.entries(SHIMS)) {
    expect(shimTarget('C:\\bin\\agent.cmd', shim), name).toBe(target);
  }
});
