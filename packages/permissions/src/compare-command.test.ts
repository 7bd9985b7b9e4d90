import { describe, expect, test } from 'vitest';
import { compareCommandWidely, permitsLine } from './compare-command.ts';

describe('a rule that denies `rm *` matches', () => {
  test.each([
    '>/dev/null rm x',
    '2>&1 rm x',
    '</dev/null rm x',
    'A="b c" rm x',
    'A+=1 rm x',
    'if true; then rm x; fi',
    'while rm x; do :; done',
    'for a in b; do rm $a; done',
    'case a in a) rm x;; esac',
    '{ rm x; }',
    '(rm x)',
    'f() { rm x; }; f',
    '! rm x',
    'time -p rm x',
    'coproc rm x',
    'exec rm x',
    'eval "rm x"',
    'command rm x',
    'env -u A B=1 rm x',
    'nohup rm x',
    'sudo -u root rm x',
    'echo x | xargs rm',
    'find . -exec rm {} +',
    'sh -c "rm x"',
    `bash -lc "r''m x"`,
    'echo "$(rm x)"',
    'echo `rm x`',
    'cat <(rm x)',
    'cat <<E\n$(rm x)\nE',
    'cat <<E\nx\nE\nrm x',
    'r\\m x',
    "'r'm x",
    'r\\\nm x',
    '/bin/rm x',
    'env -Srm x',
    'env -vSrm',
    '! env -S"rm x"',
    'env --split-string="rm x" y',
    'su -crm root',
    'flock f --command="rm x"',
    'true # x\nrm x',
    'true &\nrm x',
  ])('%j', (line) => {
    expect(compareCommandWidely('rm *', line)).toBe('matches');
  });
});

test.each([
  '$(echo rm) x',
  'a=rm; $a x',
  '${a}m x',
  "$'\\x72m' x",
  '{rm,x}',
  '/bin/r? x',
  'alias g=rm; g x',
  'echo rm x | sh',
  '. ./script',
  'PATH=/other git log',
  'python3 -c "x"',
  'git log "',
  'timeout 5 $x',
])('a line whose programs are not known before it runs is undecided: %j', (line) => {
  expect(compareCommandWidely('rm *', line)).toBe('undecided');
});

test.each([
  'echo rm',
  'git log -p',
  'npm test && npm run build > out.txt 2>&1',
  'git commit -m "$(cat <<\'EOF\'\nmend: x\nEOF\n)"',
  'for f in *.ts; do echo "$f"; done',
  'git log # the rm command',
  'xargs grep x',
])('a line that runs other programs differs: %j', (line) => {
  expect(compareCommandWidely('rm *', line)).toBe('differs');
});

test('a pattern with arguments is compared with what is known of the command', () => {
  expect(compareCommandWidely('git push *', 'git -C x push origin')).toBe('matches');
  expect(compareCommandWidely('git push *', 'git $x')).toBe('undecided');
  expect(compareCommandWidely('git push *', 'git log $x')).toBe('differs');
});

test.each([
  ['git log -1 && git log -2', true],
  ["git log --format='%h'", true],
  ['git log && rm x', false],
  ['git log & rm x', false],
  ['A=1 git log', false],
  ['git log > x', false],
  ['git log $x', false],
  ["git 'log' -1", false],
  ['git log "', false],
  ['git log #x', false],
  ['if git log', false],
])('a rule that allows `git log *` permits only plain lines: %j: %s', (line, permitted) => {
  expect(permitsLine(['git log *'], line)).toBe(permitted);
});

test('a rule that allows a program which runs others does not allow these', () => {
  expect(permitsLine(['env *'], 'env rm x')).toBe(false);
  expect(permitsLine(['env A=1 npm *'], 'env A=1 npm test')).toBe(true);
});
