import type { ShellCommand } from './shell-word.ts';

const set = (names: string): ReadonlySet<string> => new Set(names.split(' '));

// Shell words that may precede a command.
const RESERVED = set('! { } if then elif else fi do done while until case esac in function always time');
const SHELLS = set('sh bash dash ash zsh ksh mksh yash fish csh tcsh rbash busybox toybox pwsh powershell cmd');
// Programs that run the command in their arguments.
const WRAPPERS = set(
  'env command builtin exec nohup sudo doas su time coproc nice ionice timeout xargs parallel find stdbuf setsid chroot unshare nsenter flock watch ' +
    'strace ltrace script eval trap ssh runuser systemd-run caffeinate noglob nocorrect - repeat chrt taskset setarch linux32 linux64 unbuffer ' +
    'rlwrap torsocks proxychains firejail bwrap fakeroot faketime gdb valgrind perf entr fd fdfind npx pnpx bunx busybox toybox dbus-run-session ' +
    'xvfb-run start-stop-daemon pkexec gosu su-exec setpriv prlimit run-parts mapfile readarray compgen complete hash let ld.so',
);
// Programs that run text as a command line.
const EVALUATORS = set('eval trap ssh su runuser watch script parallel flock mapfile readarray compgen complete');
// Programs that can turn other words into commands, or that run a program that no argument names.
const UNCLEAR = set(
  'source . alias let unalias enable shopt hash bind history fc mapfile readarray compgen complete run-parts',
);
const INTERPRETERS =
  /^(?:python[\d.]*|perl[\d.]*|ruby[\d.]*|node|nodejs|deno|bun|php[\d.]*|lua[\d.]*|tclsh|expect|osascript|Rscript)$/;
const TEXT_OPTION = /^-(?:[a-zA-Z]*[ceEpr]|-eval|-print|-command)/;

/** Returns a command in which the path of the program is replaced by its name: `rm x` for `/bin/rm x`. */
export function programOf(command: string): string {
  const end = command.search(/ |$/);
  const program = command.slice(0, end);
  const name = program
    .slice(Math.max(program.lastIndexOf('/'), program.lastIndexOf('\\')) + 1)
    .replace(/\.(?:exe|com|bat|cmd)$/i, '');
  return name === '' ? command : name + command.slice(end);
}

const nameOf = (word: string) => programOf(word).toLowerCase();

export function isReserved(word: string): boolean {
  return RESERVED.has(word);
}

export function isAssignment(word: string): boolean {
  return /^[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=/.test(word);
}

export function isShell(word: string): boolean {
  return SHELLS.has(nameOf(word));
}

/** Whether a program runs commands that its arguments name or contain. */
export function isWrapper(word: string): boolean {
  return isShell(word) || WRAPPERS.has(nameOf(word)) || /^ld[-.]/.test(nameOf(word));
}

/** Whether a program runs one argument, or all arguments together, as a command line. */
export function isEvaluator(word: string): boolean {
  return isShell(word) || EVALUATORS.has(nameOf(word));
}

/** Whether a program may run commands that its arguments do not show. */
export function isUnclear(word: string): boolean {
  return UNCLEAR.has(nameOf(word)) || /^[=%]/.test(word);
}

/** Whether a command runs code that is given as text in its arguments, as `python -c` and `awk` do. */
export function isInterpreterOfText(words: ShellCommand): boolean {
  const [program, ...args] = words.map(({ text }) => text);
  const name = nameOf(program ?? '');
  if (INTERPRETERS.test(name)) return args.length === 0 || args.some((text) => TEXT_OPTION.test(text) || text === '-');
  if (/^[gmn]?awk$/.test(name)) return args.some((text) => /system|getline|\||^-f|^@/.test(text));
  if (name === '[[' || name === '[' || name === 'test')
    return args.some((text) => /^-(?:eq|ne|lt|le|gt|ge|v|R)$/.test(text)) && args.some((text) => /[[$(]/.test(text));
  if (name === 'printf' || name === 'read' || name === 'unset' || name === 'wait')
    return args.some((text) => text.includes('['));
  // Arithmetic and array indexes evaluate texts, and some variables change which programs run.
  if (/^(?:declare|typeset|local|export|readonly|env)$/.test(name)) {
    return args.some((text) =>
      /^(?:\w*\[|-\w*i|(?:PATH|BASH_\w+|ENV|IFS|PS4|PROMPT_COMMAND|LD_\w+|DYLD_\w+)(?:=|$))/.test(text),
    );
  }
  return false;
}
