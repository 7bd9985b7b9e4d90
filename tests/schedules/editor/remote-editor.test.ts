import { verifies } from '@proto/test-support/verifies';
import { expect } from 'vitest';
import { againOf, runSchedules } from '../run-schedules.ts';
import { remoteEditor } from './remote-editor.ts';

/** Schedules mostly wait for links that are opened again, so many run at a time. */
const AT_A_TIME = 8;
const SCHEDULES = 500;

verifies(
  'EDITOR-15',
  'an editor gets everything in a session of a server once and in order, although links, editors and the server end',
  async () => {
    const each = SCHEDULES / AT_A_TIME;
    const reports = await Promise.all(
      Array.from({ length: AT_A_TIME }, (_, seed) => runSchedules(remoteEditor, seed + 1, each)),
    );
    expect(reports.map(againOf).filter((text) => text !== undefined)).toEqual([]);
  },
  { timeout: 600_000 },
);
