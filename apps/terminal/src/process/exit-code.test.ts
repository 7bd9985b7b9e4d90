import { TransportError } from '@proto/core/transport';
import { AgentNotFoundError, FolderNotFoundError } from '@proto/transport-stdio';
import { expect, test } from 'vitest';
import { exitCodeOf, type RunEnd } from './exit-code.ts';

const result = { is_error: false };
const failed = (code: ConstructorParameters<typeof TransportError>[0], status?: number) =>
  new TransportError(code, 'text', status === undefined ? {} : { status });

test.each<[what: string, end: Omit<RunEnd, 'refused'> & { refused?: boolean }, code: number]>([
  ['a result', { result }, 0],
  ['a result that is an error', { result: { is_error: true } }, 5],
  ['no result', {}, 1],
  ['no agent', { error: new AgentNotFoundError('a', { searched: [], hint: '', where: '' }) }, 4],
  ['an agent that does not start', { error: failed('connect-failed') }, 4],
  ['no folder', { error: new FolderNotFoundError('/none') }, 2],
  ['an agent that leaves with a code', { result, error: failed('lost', 3) }, 5],
  ['an agent that exits without a message', { error: failed('lost', 0) }, 1],
  ['a broken pipe', { error: failed('lost') }, 1],
  ['an internal error', { error: new Error('text') }, 1],
  ['a question without a user', { result, refused: true }, 8],
  ['a question without a user, and an error result that follows', { result: { is_error: true }, refused: true }, 8],
  ['a timeout', { result, stopped: 'timeout' }, 7],
  ['an interrupt by the user, whatever the result', { result: { is_error: true }, stopped: 'interrupted' }, 130],
  ['a termination by the system', { error: failed('lost'), stopped: 'terminated' }, 143],
])('%s', (_, { refused = false, ...end }, code) => {
  expect(exitCodeOf({ ...end, refused })).toBe(code);
});
