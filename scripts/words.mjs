// Finds words that this repository does not use, and suggests replacements: node scripts/words.mjs [PATH…]. Prints each place with its line, and
// fails if there is any. Names count as words: `toldStatus` has the word `told`.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from './workspace.mjs';

/**
 * Words in all their forms, and what to write in their place.
 * @type {readonly (readonly [RegExp, string])[]}
 */
const WORDS = [
  [/hear(?:s|d|ing|ers?)?/, 'receive, read, onMessage, onResponse'],
  [/tell(?:s|ing|er)?|told/, 'send, report, notify, return, distinguish'],
  [/heed(?:s|ed|ing)?/, 'apply, obey'],
  [/judg(?:es?|ed|ing|e?ments?)/, 'check, decide'],
  [/besides?/, 'next to, with, in addition to'],
];

/**
 * Words that are fine in another sense, and phrases.
 * @type {readonly (readonly [RegExp, string])[]}
 */
const PHRASES = [
  [/\bahead\b/i, 'before'],
  // A server can be "behind" a proxy. For time, "after" is used.
  [
    /\bbehind\b(?! (?:(?:an?|the|any|your|its|another) )?(?:[\w-]+ )?(?:prox(?:y|ies)|nginx|Caddy|(?:load )?balancer|NAT|TLS|firewall|gateway)\b)/i,
    'after',
  ],
  [/\b(?:is|are|was|were|be) no\b(?! (?:longer|more|less|one|fewer)\b)/i, 'is not a'],
  [/\bof (?:its|their|his|her) own\b/i, 'own, or nothing'],
  [/\bwhat (?:[\w`]+ ){1,3}(?:is|are|was|were) about\b/i, 'the name of the subject'],
  [/\b(?:comes?|came|coming) again\b/i, 'is repeated'],
  [/\bnever (?:came|comes?)\b/i, 'is missing, does not arrive'],
  [/\bthose with which\b/i, 'the noun'],
  [/\bput away\b/i, 'archived'],
];

/** Texts that people write here. Records of programs, and pages that list the names of earlier versions, keep their words. */
const OURS =
  /\.(?:ts|tsx|mjs|cjs|js|json|jsonc|md|yaml|yml|html|css|qnt|pml|py|sh|service|conf)$|(?:^|\/)(?:Caddyfile|run)$/;
const RECORDS =
  /(?:^|\/)(?:testdata|recordings?)\/|(?:^|\/)CHANGELOG\.md$|^docs\/upgrade-to-|^pnpm-lock\.yaml$|^scripts\/words\.mjs$/;

/** The words of a line, with names cut into their words. @param {string} line */
const wordsOf = (line) => line.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2').replaceAll('_', ' ');

const words = WORDS.map(([{ source }, instead]) => ({ pattern: new RegExp(`\\b(?:${source})\\b`, 'i'), instead }));
const phrases = PHRASES.map(([pattern, instead]) => ({ pattern, instead }));

const listed = execFileSync('git', ['ls-files', '-z', '--', ...process.argv.slice(2)], { cwd: ROOT, encoding: 'utf8' });
let places = 0;
for (const file of listed.split('\0').filter((name) => OURS.test(name) && !RECORDS.test(name))) {
  for (const [at, line] of readFileSync(join(ROOT, file), 'utf8').split('\n').entries()) {
    const cut = wordsOf(line);
    const found = [
      ...words.map((word) => ({ ...word, text: cut })),
      ...phrases.map((phrase) => ({ ...phrase, text: line })),
    ];
    for (const { pattern, instead, text } of found) {
      const [word] = pattern.exec(text) ?? [];
      if (word === undefined) continue;
      places += 1;
      console.log(`${file}:${at + 1}: "${word}". Write: ${instead}\n    ${line.trim().slice(0, 160)}`);
    }
  }
}
if (places > 0) {
  console.log(`${places} places. Write sentences that are clear to somebody who has never seen this project.`);
  process.exitCode = 1;
}
