/** Runs the commands of `sjp` in each document, in their order and as they are written. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { blocksOf, documents } from '../readme/documents.ts';
import { runExample } from './run-example.ts';
import { createStandIns, type StandIns } from './stand-ins.ts';

/** Documents whose commands other suites run, or which show commands that fail. */
const ELSEWHERE = /^docs\/(?:getting-started\/|troubleshooting\.md)/;
/** A program of the reader, a program that is fetched, and a text that the reader completes. */
const NOT_HERE = /^node app\.mjs|@agentclientprotocol|…/;

/** The commands that a document shows. */
function commandsOf(text: string): readonly string[] {
  const blocks = blocksOf(text).filter(({ language }) => language === 'console');
  return blocks.flatMap(({ code }) => Array.from(code.matchAll(/^\$ (.*)$/gm), ([, line = '']) => line));
}

const pages = documents
  .filter(({ name }) => !ELSEWHERE.test(name))
  .map(({ name, text }) => ({ name, lines: commandsOf(text).filter((line) => !NOT_HERE.test(line)) }))
  .filter(({ lines }) => lines.some((line) => /\bsjp(?:-agent|-shim)? /.test(line)));

let standIns: StandIns;
beforeAll(async () => {
  standIns = await createStandIns();
}, 60_000);
afterAll(() => standIns.close());

test('commands are found', () => {
  expect(pages.flatMap(({ lines }) => lines).length).toBeGreaterThan(50);
});

describe.each(pages)('$name', ({ lines }) => {
  let folder = '';
  let exported = '';
  beforeAll(() => {
    folder = standIns.createFolder();
  });

  test.each(lines)(
    '%s',
    async (line) => {
      if (/^(?:npm|node scripts)/.test(line)) return;
      if (line.startsWith('export ')) exported += `${line}; `;
      const { works, text } = await runExample(line, folder, standIns, exported);
      expect(works, text).toBe(true);
    },
    90_000,
  );
});
