import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Sets the environment that the processes of a run share. Their temporary folder is the run's own, and gone with it, and what they leave there. And they
 * load no extra certificates, which takes each Node 0.15 s of processor time as it starts: tests talk to this machine only.
 */
export default function environmentOfProcesses(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'test-'));
  // Programs that a test runs as another user may enter it, and cannot list it.
  chmodSync(folder, 0o711);
  // Node reads TMPDIR, and TEMP on Windows.
  process.env['TMPDIR'] = folder;
  process.env['TEMP'] = folder;
  delete process.env['NODE_EXTRA_CA_CERTS'];
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
