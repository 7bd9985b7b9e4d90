import { verifies } from '@proto/test-support/verifies';
import { expect } from 'vitest';
import { againOf, runSchedules } from '../run-schedules.ts';
import { remoteViews } from './remote-views.ts';

/** Schedules mostly wait for links that are opened again, so many run at a time. */
const AT_A_TIME = 8;
const SCHEDULES = 200;

verifies(
  'VIEW-1',
  'a session of a server looks the same in each page, wherever links were cut, and whenever a page was opened',
  async () => {
    const each = SCHEDULES / AT_A_TIME;
    const reports = await Promise.all(
      Array.from({ length: AT_A_TIME }, (_, seed) => runSchedules(remoteViews, seed + 1, each)),
    );
    expect(reports.map(againOf).filter((text) => text !== undefined)).toEqual([]);
  },
  { timeout: 600_000 },
);
