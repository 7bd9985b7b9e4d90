/** What is asked everywhere: may this tool run. About 290 bytes as a frame. */
export const ASK = {
  tool_name: 'Bash',
  input: { command: 'npm test -- --reporter=dot', description: 'Runs the tests of the package', timeout: 120_000 },
  tool_use_id: 'toolu_01A2b3C4d5E6f7G8h9J0kLmN',
};

/** What is answered. About 230 bytes as a frame. */
export const ANSWER = {
  behavior: 'allow',
  updatedInput: { command: 'npm test -- --reporter=dot', description: 'Runs the tests' },
};

/** Throws for anything but an answer as above. */
export function checkAnswer(answer: unknown): void {
  if ((answer as Partial<typeof ANSWER> | undefined)?.behavior !== 'allow') throw new Error('not the answer');
}
