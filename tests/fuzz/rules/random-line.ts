import type { Random } from './random.ts';

/** The programs of the fuzzer. Each only writes down that it ran. */
export const PROGRAMS = ['rm', 'git', 'ls', 'npm'] as const;

const MOST_DEPTH = 4;

/** The paths that lines may name: a stub, and a script in the folder of the line. */
const KNOWN_PATHS = /"?\$BIN"?\/|\.\/s/g;

/**
 * Makes a command line that runs some of the programs, in one of the many ways in which a shell can be asked to. It names no file outside of the folder
 * in which it runs.
 */
export function randomLine(random: Random): string {
  const line = list(random, 0);
  const changes = random.below(3) === 0 ? random.below(4) : 0;
  const made = Array.from({ length: changes }).reduce((text: string) => changed(random, text), line);
  return made.replaceAll(KNOWN_PATHS, '').includes('/') ? randomLine(random) : made;
}

const PIECES = [
  ...Array.from(' \t\n;&|<>()$`\'"\\{}#!=*?[]~,.:-+@^%'),
  '&&',
  '||',
  '$(',
  '${',
  '<<',
  '>&',
  '&>',
  "$'",
  'rm',
  'git',
  'x',
  '1',
  '\r',
];

function changed(random: Random, text: string): string {
  const at = random.below(text.length + 1);
  const removed = random.below(3);
  const added = random.below(3) === 0 ? '' : random.pick(PIECES);
  return text.slice(0, at) + added + text.slice(at + removed);
}

function list(random: Random, depth: number): string {
  const count = 1 + random.below(depth > 1 ? 2 : 3);
  const separators = ['; ', ' && ', ' || ', ' | ', '\n', ' & ', ';', '|', '&&', ' |& ', ' # c\n', ' &\n'];
  let text = command(random, depth);
  for (let at = 1; at < count; at++) text += random.pick(separators) + command(random, depth);
  return text;
}

function command(random: Random, depth: number): string {
  if (depth >= MOST_DEPTH || random.below(3) === 0) return simple(random, depth);
  const inner = () => list(random, depth + 1);
  const word = () => program(random);
  return random.pick<() => string>([
    () => `if ${inner()}; then ${inner()}; fi`,
    () => `if false; then :; else ${inner()}; fi`,
    () => `while ${inner()}; do break; done`,
    () => `until false; do ${inner()}; break; done`,
    () => `for a in 1 ${word()}; do ${random.pick(['$a x', inner()])}; done`,
    () => `case a in ${random.pick(['a', '(a', '[a]', '*'])}) ${inner()};; esac`,
    () => `{ ${inner()}; }`,
    () => `(${inner()})`,
    () => `f() { ${inner()}; }; f`,
    () => `function f { ${inner()}; }; f`,
    () => `! ${inner()}`,
    () => `time ${random.pick(['', '-p '])}${inner()}`,
    () => `coproc ${inner()}; wait`,
    () => `eval ${quoted(random, inner())}`,
    () => `sh -c ${quoted(random, inner())}`,
    () => `bash -c ${quoted(random, inner())}`,
    () => `ls "$(${inner()})"`,
    () => `ls \`${simple(random, MOST_DEPTH)}\``,
    () => `ls $(${inner()})`,
    () => `: $((1 + $(${inner()})))`,
    () => `: "\${y:-$(${inner()})}"`,
    () => `ls <<E\n$(${simple(random, MOST_DEPTH)})\nE\n`,
    () => `ls <<'E'\n${word()} x\nE\n${inner()}`,
    () => `ls <<-E\n\tx\n\tE\n${inner()}`,
    () => `ls < <(${inner()})`,
    () => `ls <<< "$(${inner()})"`,
    () => `a=(${word()} x); "\${a[@]}"`,
    () => `a=${word()}; ${random.pick(['$a', '"$a"', '${a}', '${a%x}', '$a$b'])} x`,
    () => `alias g=${word()}\ng x`,
    () => `trap ${quoted(random, `${word()} x`)} EXIT`,
    () => `set -- ${word()} x; "$@"`,
    () => `PS4='$(${word()} x)'; set -x; ls`,
    () => `a='b[$(${word()} x)]'; : $((a))`,
    () => `[[ a[\`${word()}\` -eq 0 ]]`,
    () =>
      `echo ${word()} x | ${random.pick(['sh', 'xargs', 'bash', 'xargs -I{} sh -c {}', 'while read -r l; do $l; done', 'xargs -n2 env'])}`,
    () => `printf '%s' ${word()} > s; ${random.pick(['. ./s', 'sh s', 'eval "$(cat s)"'])}`,
  ])();
}

function simple(random: Random, depth: number): string {
  const before = random.below(3) === 0 ? random.pick(BEFORE) : '';
  const wrapper = random.below(4) === 0 ? random.pick(WRAPPERS) : '';
  const args = Array.from({ length: random.below(3) }, () => ` ${argument(random, depth)}`).join('');
  const after =
    random.below(5) === 0 ? random.pick([' >null', ' 2>&1', ' <null', ' &>o', ' >|o', ' >o x', ' 2>o']) : '';
  return before + wrapper + program(random) + args + after;
}

const BEFORE = [
  '>null ',
  '2>&1 ',
  '<null ',
  '&>o ',
  '>|o ',
  '<>o ',
  '{fd}>o ',
  '1>o ',
  '> o ',
  '>&2 ',
  'A=1 ',
  'A="b c" ',
  "A='b c' ",
  'A+=1 ',
  'A[0]=1 ',
  'A=$(:) ',
  'A=`:` ',
  'A= ',
  'A=b\\ c ',
  'A=1 >o B=2 ',
  'A=$((1)) ',
  'A="$(:)"x ',
  '\\\n',
  '	',
  ' ',
  '! ',
  '$x ',
  '"$x" ',
  '$(:) ',
];
const WRAPPERS = [
  'command ',
  'exec ',
  'builtin command ',
  'env ',
  'env A=1 ',
  'env -u X ',
  'env -i PATH="$PATH" ',
  'nohup ',
  'nice ',
  'nice -n 5 ',
  'timeout 5 ',
  'command -p ',
  'exec -a n ',
  'eval ',
  'xargs -n1 <null ',
  'find . -maxdepth 0 -exec ',
  'stdbuf -o0 ',
  'env -S ',
  'setsid -w ',
  'time ',
  'coproc ',
];

/** Spells the name of a program so that a shell takes it for the same name. */
function program(random: Random): string {
  const name = random.below(2) === 0 ? 'rm' : random.pick(PROGRAMS);
  const [first, rest] = [name.slice(0, 1), name.slice(1)];
  if (random.below(2) === 0) return name;
  return random.pick([
    `\\${name}`,
    `${first}\\${rest}`,
    `'${first}'${rest}`,
    `"${name}"`,
    `${first}''${rest}`,
    `${first}""${rest}`,
    `${first}\\\n${rest}`,
    `$'${name}'`,
    `$"${name}"`,
    `$'\\x${first.charCodeAt(0).toString(16)}'${rest}`,
    `${first}$@${rest}`,
    `${first}\${x}${rest}`,
    `{${name},x}`,
    `$(echo ${name})`,
    `\`echo ${name}\``,
    `${name}$IFS`,
    `$BIN/${name}`,
    `"$BIN"/${first}?`,
    `${first}\${x:-}${rest}`,
    `\${x:-${name}}`,
    `\${x:=${name}}`,
    `$x${name}`,
    `"${first}"'${rest}'`,
  ]);
}

function argument(random: Random, depth: number): string {
  const inner = () => (depth >= MOST_DEPTH ? 'rm x' : list(random, depth + 1));
  return random.pick<() => string>([
    () => 'x',
    () => 'log',
    () => '-f',
    () => 'rm',
    () => "'a; b'",
    () => '"a b"',
    () => 'a\\ b',
    () => '*',
    () => '~',
    () => '#x',
    () => '# x',
    () => '{a,b}',
    () => '$x',
    () => `"$(${inner()})"`,
    () => `<(${inner()})`,
    () => `'$(${inner().replaceAll("'", '')})'`,
    () => "it\\'s",
    () => `"\\"; rm x; \\""`,
    () => '"\'"',
    () => '&& rm x',
  ])();
}

function quoted(random: Random, text: string): string {
  if (random.below(2) === 0) return `'${text.replaceAll("'", String.raw`'\''`)}'`;
  return `"${text.replace(/["\\$`]/g, String.raw`\$&`)}"`;
}
