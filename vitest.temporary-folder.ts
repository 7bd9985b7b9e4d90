import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Gives the processes of a run a temporary folder of their own, which is gone with the run, and what they leave in it. */
export default function temporaryFolder(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'test-'));
  // Programs that a test runs as another user may enter it, and cannot list it.
  chmodSync(folder, 0o711);
  // Node reads TMPDIR, and TEMP on Windows.
  process.env['TMPDIR'] = folder;
  process.env['TEMP'] = folder;
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
