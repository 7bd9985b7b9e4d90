// Words that this project does not use, with what to write instead: node scripts/words.mjs [PATH…]. Prints each place, and fails when there is one.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Each word stands in every form that must not be used, also as part of a name (`toldStatus`, `tell-refused`).
 * @type {readonly (readonly [RegExp, string])[]}
 */
const WORDS = [
  [/hear(?:s|d|ing|er|ers)?/, 'receive, `onMessage`, `onResponse`'],
  [/tell(?:s|ing|er)?|told/, 'send, report, notify, return, distinguish'],
  [/heed(?:s|ed|ing)?/, 'apply, obey'],
  [/judg(?:e|es|ed|ing|ement|ements|ment|ments)/, 'check, decide'],
  [/besides?/, 'next to, with, in addition to'],
];

/** @type {readonly (readonly [RegExp, string])[]} */
const PHRASES = [
  [/\bahead\b/i, 'before'],
  [/\bbehind\b(?! (?:(?:a|an|the|any|your|its|another) )?(?:[\w-]+ )?(?:proxy|proxies|nginx|Caddy|load balancer|balancer|NAT|TLS|firewall|gateway)\b)/i, 'after'],
  [/\b(?:is|are|was|were|be) no\b(?! (?:longer|more|less|one|fewer)\b)/i, 'is not a'],
  [/\bof (?:its|their|his|her) own\b/i, 'own, or leave it out'],
  [/\bwhat (?:[\w`]+ ){1,3}(?:is|are|was|were) about\b/i, 'name the subject'],
  [/\b(?:comes?|came|coming) again\b/i, 'is repeated'],
  [/\bnever (?:came|comes|come)\b/i, 'is missing, does not arrive'],
  [/\bthose with which\b/i, 'name the thing'],
  [/\bput away\b/i, 'archived'],
];

// What was recorded or generated is not ours to word; the upgrade page has the old names.
const LEFT_OUT = /^(?:docs\/upgrade-to-0\.2\.md|pnpm-lock\.yaml|scripts\/words\.mjs)$|(?:^|\/)CHANGELOG\.md$|\.(?:json|jsonl|ndjson|png|ico|svg|tgz|woff2?|sqlite|db)$/;

/** The parts of a line that are words: `toldStatus` is `told status`. @param {string} line */
const split = (line) => line.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2').replaceAll('_', ' ');

const any = WORDS.map(([word, instead]) => /** @type {const} */ ([new RegExp(`\\b(?:${word.source})\\b`, 'i'), instead]));
const given = process.argv.slice(2);
const files = execFileSync('git', ['ls-files', '-z', '--', ...given], { cwd: root, encoding: 'utf8' }).split('\0');
let found = 0;
for (const file of files) {
  if (file === '' || LEFT_OUT.test(file)) continue;
  const text = readFileSync(new URL(file, `file://${root}/`), 'utf8');
  for (const [index, line] of text.split('\n').entries()) {
    const plain = split(line);
    const hits = [...any.filter(([word]) => word.test(plain)), ...PHRASES.filter(([phrase]) => phrase.test(line))];
    for (const [pattern, instead] of hits) {
      found += 1;
      const [word] = pattern.exec(plain) ?? pattern.exec(line) ?? [''];
      console.log(`${file}:${index + 1}: "${word}": ${instead}\n    ${line.trim().slice(0, 200)}`);
    }
  }
}
if (found > 0) {
  console.log(`${found} places. Write plainly: the sentence must be clear to somebody who has never seen this project.`);
  process.exitCode = 1;
}
