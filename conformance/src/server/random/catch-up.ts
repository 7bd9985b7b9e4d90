import type { Step } from '@proto/testkit/steps';

import { type Reader, type SessionWriter, together } from './session-writer.ts';

/** The requirement that is broken if a reader does not receive a message that is meant for it. */
function specOf({ over, worker, isAuthenticatedByLine, isPaused }: Reader): string {
  if (isPaused && over === 'stream') return 'RES-30';
  if (worker !== undefined) return 'REM-26';
  if (isAuthenticatedByLine === true) return 'WSK-16';
  return { stream: 'EVS-31', plain: 'WSK-25', numbered: 'RES-18' }[over];
}

/** Waits until each connection has received a message that is sent now. */
export function catchUp(session: SessionWriter): readonly Step[] {
  const { readers, present } = session;
  const isPlain = ({ over, worker }: Reader) => over === 'plain' && worker === undefined;
  const mark = { type: 'user', uuid: session.newId(), message: { role: 'user', content: 'until here' } };
  const report = { type: 'assistant', uuid: session.newId(), message: { role: 'assistant', content: [] } };
  const step = (reader: Reader): readonly Step[] => {
    const isPaused = reader.isPaused;
    const spec = specOf(reader);
    reader.isPaused = false;
    const { uuid } = isPlain(reader) ? report : mark;
    return [...(isPaused ? [{ resume: reader.name }] : []), { expect: { uuid }, by: reader.name, within: 5000, spec }];
  };
  const plain = present === undefined ? [] : readers.filter(isPlain);
  const others = readers.filter((reader) => !isPlain(reader));
  session.stored += 1;
  return [
    ...(others.length === 0 ? [] : [together([{ post: mark, spec: 'EVS-38' }, ...others.flatMap(step)])]),
    ...(plain.length === 0
      ? []
      : [together([{ post: report, role: present, spec: 'WRK-24' }, ...plain.flatMap(step)])]),
  ];
}

/** Reads the log once more from its beginning, on another connection. */
export function readAll(session: SessionWriter): readonly Step[] {
  const name = session.newName('whole');
  session.readers.push({
    name,
    over: 'stream',
    worker: undefined,
    isProxied: false,
    isPaused: false,
    stream: name,
    role: 'driver',
    lines: [],
  });
  return [{ open: name, spec: 'EVS-1' }];
}
