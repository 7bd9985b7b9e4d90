import type { Comparison } from './compare-command.ts';
import { foldCase } from './paths.ts';
import { textGlob } from './glob.ts';

// In PowerShell, all other characters join, nest or redirect commands, or quote or replace text.
const PLAIN = /^[\w ./\\:=,-]+$/;

/** The command must be the same text as the pattern, or one command of plain words that begins like the pattern. */
export function permitsPowerShell(pattern: string, command: string): boolean {
  const given = command.trim();
  return given === pattern || (PLAIN.test(given) && beginsLike(pattern, given));
}

/** If the command does not consist of plain words, the result is undecided. */
export function comparePowerShellWidely(pattern: string, command: string): Comparison {
  const folded = (text: string) => foldCase(text.replace(/\s+/g, ' ').trim());
  const parts = [command, ...command.split(/[;&|<>`$(){}\n]/)].map((part) => folded(part));
  if (parts.some((part) => beginsLike(folded(pattern), part))) return 'matches';
  return PLAIN.test(command.trim()) ? 'differs' : 'undecided';
}

function beginsLike(pattern: string, command: string): boolean {
  const prefix = /^(.*?)(?::| )\*$/s.exec(pattern)?.[1];
  if (prefix === undefined) return pattern === command || textGlob(pattern)(command);
  return textGlob(prefix)(command) || textGlob(`${prefix} *`)(command);
}
