import type { ToolInput } from '../actions.ts';
import { pause } from '../pause.ts';
import { commandResult, readResult, writeResult } from './results.ts';
import { stringMember, type Tool } from './tool.ts';

/** Creates tools that change nothing on the machine: files in memory, and a shell that supports only `echo`, `sleep` and `exit`. */
export function createMemoryTools(cwd = '/'): readonly Tool[] {
  const files = new Map<string, string>();
  const pathOf = (input: ToolInput) => resolve(cwd, stringMember(input, 'file_path'));
  return [
    {
      name: 'Read',
      effect: 'reads',
      pathOf,
      run(input) {
        const text = files.get(pathOf(input));
        if (text === undefined) throw new Error('File does not exist.');
        return readResult(pathOf(input), text);
      },
    },
    {
      name: 'Write',
      effect: 'writes',
      pathOf,
      run(input) {
        const path = pathOf(input);
        const text = stringMember(input, 'content');
        const before = files.get(path);
        files.set(path, text);
        return writeResult(path, text, before);
      },
    },
    {
      name: 'Bash',
      effect: 'executes',
      run: (input, { signal }) => runCommand(stringMember(input, 'command'), signal),
    },
  ];
}

async function runCommand(command: string, signal: AbortSignal) {
  const [, name, argument = ''] = /^(\w+)\s*(.*)$/s.exec(command.trim()) ?? [];
  switch (name) {
    case 'echo':
      return commandResult({ output: argument, code: 0 });
    case 'sleep':
      await pause(Number(argument) * 1000, signal);
      return commandResult({ output: '', code: 0 });
    case 'exit':
      return commandResult({ output: '', code: Number(argument) });
    default:
      return commandResult({ output: `${name}: command not found`, code: 127 });
  }
}

/** Resolves a path. At the root, `..` stays at the root. */
function resolve(cwd: string, path: string): string {
  const parts: string[] = [];
  for (const part of (path.startsWith('/') ? path : `${cwd}/${path}`).split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}
