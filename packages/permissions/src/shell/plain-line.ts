/** A command of a plain line: its text as written, and its words without quotes. */
export interface PlainCommand {
  readonly text: string;
  readonly words: readonly string[];
}

// These characters nest, redirect or end commands, or are replaced by a shell; also in quotes, where a program such as `awk` may read them.
const REFUSED = /[<>`$(){}\p{Cc}]/u;
// Without the separators `&&`, `||`, `|` and `;`, which are compared first. A lone `&` is not plain: shells differ about `&>`.
const TOKEN = /&&|\|\||[|;]|[ \t]+|'[^'|&;]*'|"(?:[^"\\|&;]|\\[^|&;])*"|\\[^|&;]|[^ \t|&;'"\\]+/y;
const SEPARATOR = /^(?:&&|\|\||[|;])$/;
const BLANKS = /^[ \t]+$/;
const RESERVED = new Set(
  '! [[ ]] if then elif else fi do done case esac while until for in function select time coproc repeat foreach end always'.split(
    ' ',
  ),
);
// An assignment, a pattern, a comment, a job or a home folder: the shell makes something else of such a word.
const UNCLEAR_PROGRAM = /^\w+(?:\[.*\])?\+?=|[*?[\]~#^]|^[%=+-]/;

/**
 * Reads a line that joins simple commands by `&&`, `||`, `|` and `;`, and in which every shell runs exactly the programs that it names. Returns
 * undefined for every other line: a redirection, an expansion, an assignment, a comment, an unclosed quote.
 */
export function readPlainLine(line: string): readonly PlainCommand[] | undefined {
  if (REFUSED.test(line.replaceAll('\t', ' '))) return undefined;
  const commands: PlainCommand[] = [];
  let from = 0;
  let words: string[] = [];
  let isJoined = false;
  const end = (at: number): boolean => {
    const [program] = words;
    if (program === undefined || RESERVED.has(program) || UNCLEAR_PROGRAM.test(program)) return false;
    commands.push({ text: line.slice(from, at).trim(), words });
    return true;
  };
  for (let at = 0; at < line.length; at = TOKEN.lastIndex) {
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(line)?.[0];
    if (token === undefined) return undefined;
    if (SEPARATOR.test(token)) {
      if (!end(at)) return undefined;
      [from, words, isJoined] = [TOKEN.lastIndex, [], false];
    } else if (BLANKS.test(token)) isJoined = false;
    else {
      if (token.startsWith('#') && !isJoined) return undefined;
      if (isJoined) words[words.length - 1] += unquoted(token);
      else words.push(unquoted(token));
      isJoined = true;
    }
  }
  return end(line.length) ? commands : undefined;
}

function unquoted(token: string): string {
  if (token.startsWith("'")) return token.slice(1, -1);
  if (token.startsWith('"')) return token.slice(1, -1).replace(/\\(["\\])/g, '$1');
  return token.startsWith('\\') ? token.slice(1) : token;
}
