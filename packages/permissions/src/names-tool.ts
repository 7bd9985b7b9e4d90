import { textGlob } from './glob.ts';

const ALSO_COVERED: ReadonlyMap<string, readonly string[]> = new Map([
  ['Edit', ['Write', 'MultiEdit', 'NotebookEdit']],
]);
/** Tools that a rule covers only if it denies or asks: these tools show the content of files, too. */
const ALSO_RESTRICTED: ReadonlyMap<string, readonly string[]> = new Map([
  ['Read', ['Grep', 'Glob', 'LS', 'NotebookRead']],
]);

/**
 * Whether the name in a rule stands for a tool. The name of an MCP server without a tool stands for all tools of the server. A rule that denies or
 * asks is read widely: it ignores upper and lower case.
 */
export function namesTool(pattern: string, tool: string, isWide: boolean): boolean {
  const [named, given] = isWide ? [pattern.toLowerCase(), tool.toLowerCase()] : [pattern, tool];
  const matches = textGlob(named);
  if (matches(given) || (/^mcp__.+/.test(named) && given.startsWith(`${named}__`))) return true;
  if (!isWide) return ALSO_COVERED.get(pattern)?.includes(tool) === true;
  return [...ALSO_COVERED, ...ALSO_RESTRICTED].some(
    ([name, others]) => matches(name.toLowerCase()) && others.some((other) => other.toLowerCase() === given),
  );
}
