/** A command in a plain line: its original text, and its words without quotes. */
export interface PlainCommand {
  readonly text: string;
  readonly words: readonly string[];
}

// These characters nest, redirect or end commands, or are replaced by a shell. They are refused in quotes too, because a program such as `awk` may
// interpret them.
const REFUSED = /[<>`$(){}\p{Cc}]/u;
// The separators `&&`, `||`, `|` and `;` are matched first. A single `&` is not plain, because shells differ in how they interpret `&>`.
const TOKEN = /&&|\|\||[|;]|[ \t]+|'[^'|&;]*'|"(?:[^"\\|&;]|\\[^|&;])*"|\\[^|&;]|[^ \t|&;'"\\]+/y;
const SEPARATOR = /^(?:&&|\|\||[|;])$/;
const BLANKS = /^[ \t]+$/;
const RESERVED = new Set(
  '! [[ ]] if then elif else fi do done case esac while until for in function select time coproc repeat foreach end always'.split(
    ' ',
  ),
);
// An assignment, a pattern, a comment, a job or a home folder: a shell does not use such a word as the name of a program.
const UNCLEAR_PROGRAM = /^\w+(?:\[.*\])?\+?=|[*?[\]~#^]|^[%=+-]/;

/**
 * A plain line consists of simple commands joined by `&&`, `||`, `|` and `;`, for which every shell runs exactly the named programs. Returns
 * `undefined` for any other line, for example a line that contains a redirection, an expansion, an assignment, a comment or an unclosed quote.
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
