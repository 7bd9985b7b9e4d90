import { textGlob } from './glob.ts';

const ALSO_COVERED: ReadonlyMap<string, readonly string[]> = new Map([
  ['Edit', ['Write', 'MultiEdit', 'NotebookEdit']],
]);
/** Only a rule that denies or asks covers these tools, because they also show the content of files. */
const ALSO_RESTRICTED: ReadonlyMap<string, readonly string[]> = new Map([
  ['Read', ['Grep', 'Glob', 'LS', 'NotebookRead']],
]);

/**
 * The name of an MCP server without a tool matches all tools of the server. The name in a rule that denies or asks is compared without regard to
 * upper and lower case.
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
