import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { flattenIncoming } from '@proto/core/transport';
import { expect, onTestFinished, test } from 'vitest';
import { childEnvironment } from './child-environment.ts';
import { spawnAgent } from './spawn-agent.ts';

test('the PATH of a child has no empty element, and the rest of the environment is unchanged', () => {
  const pathOf = (PATH: string) => childEnvironment({ PATH }, { platform: 'linux' })['PATH'];
  expect(['/a:/b', ':/a', '/a:', '/a::/b', '.:/a'].map(pathOf)).toEqual(['/a:/b', '/a', '/a', '/a:/b', '.:/a']);
  expect(['', ':', '::'].map(pathOf)).toEqual(Array(3).fill('/usr/bin:/bin'));
  const others = { Path: ':', OTHER: ':x:', UNSET: undefined };
  expect(childEnvironment(others, { platform: 'linux' })).toEqual(others);
  expect(childEnvironment({ Path: ';C:\\a;;' }, { platform: 'win32' })).toEqual({ Path: 'C:\\a' });
});

test('the interpreter of a script is not looked up in the working directory', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'project-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const script = (name: string, type: string) =>
    writeFile(join(folder, name), `#!/bin/sh\necho '{"type":"${type}"}'\n`, { mode: 0o700 });
  await script('interpreter', 'planted');
  await writeFile(join(folder, 'agent'), '#!/usr/bin/env interpreter\n', { mode: 0o700 });
  for (const PATH of ['', ':', ':/bin', '/bin:', '/bin::/usr/bin']) {
    const agent = spawnAgent({ command: join(folder, 'agent'), cwd: folder, env: { PATH } });
    const said: string[] = [];
    const reading = (async () => {
      for await (const item of flattenIncoming(agent.incoming)) if (item.kind === 'message') said.push(item.text);
    })();
    await expect(reading).rejects.toMatchObject({ code: 'lost', status: 127 });
    expect(said).toEqual([]);
  }
});
