import { EventEmitter } from 'node:events';
import { Writable } from 'node:stream';
import { verifies } from '@proto/test-support/verifies';
import { describe, expect, test } from 'vitest';
import { assistant, start, STREAM, user } from '../run.test-support.ts';
import { watchOutput, written } from './write.ts';

const broken = (code: string) =>
  new Writable({ write: (_chunk, _encoding, done) => done(Object.assign(new Error(code), { code })) });

describe('a text', () => {
  test('counts as written when the stream has accepted it', async () => {
    let done = () => {};
    const slow = new Writable({ write: (_chunk, _encoding, callback) => void (done = callback) });
    const left: string[] = [];
    const writing = written(slow, 'x').then(() => left.push('x'));
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(left).toEqual([]);
    done();
    await writing;
    expect(left).toEqual(['x']);
  });

  test('that is written to a broken pipe settles without an error', async () => {
    const stream = broken('EPIPE');
    const watch = watchOutput(stream);
    expect(watch).toMatchObject({ broken: undefined, isUnread: false });
    await written(stream, 'x');
    await new Promise((resolve) => setImmediate(resolve));
    expect(watch).toMatchObject({ broken: { code: 'EPIPE' }, isUnread: true });
  });
});

describe('an agent whose reader is slow', () => {
  test.each([
    ['-p', 'one'],
    ['-p', 'one', '--output-format=json'],
    ['-p', 'one', '--output-format=stream-json', '--verbose'],
    ['-p', 'fail'],
    ['-v'],
    ['--explain-flags'],
    ['--nonsense'],
    ['-p', '--resume=title'],
  ])('exits when all its output is written: %j', async (...argv) => {
    let [pending, taken] = [0, 0];
    const slow = () =>
      new Writable({
        highWaterMark: 1,
        write(_chunk, _encoding, done) {
          pending++;
          setTimeout(() => {
            pending--;
            taken++;
            done();
          }, 10);
        },
      });
    const outcome = await new Promise((resolve) => {
      const exit = (code: number) => resolve({ code, pending, wrote: taken > 0 });
      start(argv, { process: { stdout: slow(), stderr: slow(), exit } }).stdin.end();
    });
    expect(outcome).toMatchObject({ pending: 0, wrote: true });
  });
});

verifies('OUTPUT-2', 'an agent exits when its whole log is written in order, and at once on a signal', async () => {
  const log = async (...signals: 'SIGTERM'[]) => {
    const taken: string[] = [];
    const stderr = new Writable({
      write(chunk, _encoding, done) {
        setTimeout(() => {
          taken.push(String(chunk));
          done();
        }, 10);
      },
    });
    const source = new EventEmitter();
    const written = Array.from({ length: 20 }, (_, n) => `${n} ${'😀'.repeat(2000)}\n`);
    const seen = await new Promise<string[]>((resolve) => {
      const exit = () => resolve([...taken]);
      start(['-p', 'one'], {
        process: { stderr, exit, signals: source },
        async *runTurn() {
          for (const line of written) stderr.write(line);
          for (const signal of signals) source.emit(signal);
          yield assistant('done');
        },
      }).stdin.end();
    });
    return { seen, written };
  };
  const { seen, written } = await log();
  expect(seen.join('')).toBe(written.join(''));
  expect((await log('SIGTERM')).seen).toEqual([]);
});

describe('an agent whose output breaks', () => {
  const leaves = async (reason: string) => {
    for (const argv of [STREAM, ['-p'], ['-p', '--output-format=json']]) {
      const stdout = broken(reason);
      const { stdin, code, written: seen } = start(argv, { process: { stdout } });
      stdin.end(argv === STREAM ? user('one') : 'one');
      expect({ argv, code: await code, isQuiet: seen.stderr === '' }).toEqual({
        argv,
        code: reason === 'EPIPE' ? 0 : 1,
        isQuiet: reason === 'EPIPE',
      });
    }
  };
  verifies('OUTPUT-5', 'with EPIPE exits with 0 and writes nothing to stderr', () => leaves('EPIPE'));
  test('with another error exits with 1 and reports it on stderr', () => leaves('ENOSPC'));
});
