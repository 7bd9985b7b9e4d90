/** The request of all cases: a permission to run a tool. About 290 bytes as a frame. */
export const ASK = {
  tool_name: 'Bash',
  input: { command: 'npm test -- --reporter=dot', description: 'Runs the tests of the package', timeout: 120_000 },
  tool_use_id: 'toolu_01A2b3C4d5E6f7G8h9J0kLmN',
};

/** The answer of all cases. About 230 bytes as a frame. */
export const ANSWER = {
  behavior: 'allow' as const,
  updatedInput: { command: 'npm test -- --reporter=dot', description: 'Runs the tests' },
};

/** Throws if this is not the expected answer. */
export function checkAnswer(answer: unknown): void {
  if ((answer as Partial<typeof ANSWER> | undefined)?.behavior !== 'allow') throw new Error('not the answer');
}

/** The request as a frame of this protocol. */
export const REQUEST_FRAME = {
  type: 'control_request',
  request_id: '01234567-89ab-4cde-8f01-23456789abcd',
  request: { subtype: 'can_use_tool', ...ASK },
};

/** The answer as a frame. */
export function answerFrame(requestId: string) {
  return {
    type: 'control_response',
    response: { subtype: 'success', request_id: requestId, response: ANSWER },
  };
}

/** The request as a line. */
export const REQUEST_LINE: string = `${JSON.stringify(REQUEST_FRAME)}\n`;

/** The answer as a line. */
export const RESPONSE_LINE: string = `${JSON.stringify(answerFrame(REQUEST_FRAME.request_id))}\n`;
