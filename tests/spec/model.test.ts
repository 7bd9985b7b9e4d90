/** Tests that the requirements and the model have to name each other. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const { checkModel, readModel } = await import(new URL('../../scripts/spec/model.mjs', import.meta.url).href);

const MODEL = {
  invariants: [{ name: 'storedOnce', line: 9 }],
  faults: [{ name: 'noRepetitions', breaks: 'storedOnce', ids: ['RES-7'], line: 4 }],
};
const RULE = { id: 'RES-7', level: 'MUST', file: '13-resume.md', line: 3, model: ['storedOnce'] };

type Problem = Readonly<Record<'file' | 'line' | 'text', string>>;
const textsOf = (model: unknown, rules: readonly unknown[]): readonly string[] =>
  checkModel(model, rules).map(({ file, line, text }: Problem) => `${file}:${line}: ${text}`);

test('a model and requirements that name each other have no problem', () => {
  expect(textsOf(MODEL, [RULE])).toEqual([]);
  expect(textsOf(undefined, [{ ...RULE, model: undefined }])).toEqual([]);
});

test('a cited name has to be an invariant', () => {
  const text = '13-resume.md:3: The model has no invariant "storedTwice".';
  expect(textsOf(MODEL, [{ ...RULE, model: ['storedOnce', 'storedTwice'] }])).toEqual([text]);
  expect(textsOf(undefined, [RULE])).toEqual(['13-resume.md:3: The model has no invariant "storedOnce".']);
});

test('a requirement with MUST has to cite each invariant', () => {
  const text = 'resume.qnt:9: No requirement with MUST has the mark "Model: `storedOnce`."';
  expect(textsOf(MODEL, [{ ...RULE, level: 'SHOULD' }])).toEqual([text]);
});

test('the rules that a faulty module leaves out have to cite what it breaks', () => {
  const rules = [RULE, { ...RULE, id: 'RES-8', model: undefined }];
  const model = { ...MODEL, faults: [{ ...MODEL.faults[0], ids: ['RES-7', 'RES-8'] }] };
  const text = 'resume-faults.qnt:4: RES-8, which noRepetitions leaves out, does not cite "storedOnce".';
  expect(textsOf(model, rules)).toEqual([text]);
});

test('the names of the model are read from its files', () => {
  const folder = fileURLToPath(new URL('../../spec', import.meta.url));
  const { invariants, faults } = readModel(folder);
  const names = ['storedOnce', 'takenIsKept', 'inOrder', 'receivedOnceInOrder', 'nothingPassedOver', 'oneAnswer'];
  expect(invariants.map(({ name }: { name: string }) => name)).toEqual(names);
  // Every invariant has a module that breaks it, and no module is overlooked.
  expect(new Set(faults.map(({ breaks }: { breaks: string }) => breaks))).toEqual(new Set(names));
  const modules = readFileSync(`${folder}/resume-faults.qnt`, 'utf8').match(/^module /gm);
  expect(faults).toHaveLength(modules?.length ?? 0);
});
