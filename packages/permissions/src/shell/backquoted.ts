/** Removes one level of backslashes. `isSure` is false if the text is not closed or contains backslashes. */
export function readBackquoted(
  line: string,
  start: number,
): { readonly text: string; readonly end: number; readonly isSure: boolean } {
  let end = start;
  while (end < line.length && line[end] !== '`') end += line[end] === '\\' ? 2 : 1;
  const text = line.slice(start, end);
  const isSure = end < line.length && !text.includes('\\');
  return { text: text.replace(/\\([\\$`"])/g, '$1'), end: end + 1, isSure };
}
