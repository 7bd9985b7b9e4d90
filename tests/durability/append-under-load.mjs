// Appends to the event log FILE in several streams at once until it is killed. Writes each acknowledged id to stdout in one write
// after the acknowledgement: `node append-under-load.mjs FILE RUN`.
import { writeSync } from 'node:fs';
import { openSqliteEventLog } from '@proto/ingress';

const [file, run] = process.argv.slice(2);
const log = await openSqliteEventLog({ file });

async function appendAll(stream) {
  for (let n = 0; ; n++) {
    const size = 1 + (n % 7);
    const events = Array.from({ length: size }, (_, k) => {
      const id = `${run}-${stream}-${n}-${k}`;
      return { id, type: 'user', source: 'client', payload: JSON.stringify({ id, text: '.'.repeat((n * 97) % 3000) }) };
    });
    const appended = await log.append(stream, events);
    writeSync(1, appended.map(({ id, sequence }) => `${stream} ${sequence} ${id}\n`).join(''));
  }
}

await Promise.all(['a', 'b', 'c', 'd'].map(appendAll));
