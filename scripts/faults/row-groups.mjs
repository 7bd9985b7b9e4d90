import { build } from 'esbuild';

/**
 * The implemented rows in groups: rows whose id starts with `R-` by their number, other rows by the section of their document.
 * @param {string} root
 * @returns {Promise<ReadonlyMap<string, readonly string[]>>}
 */
export async function rowGroups(root) {
  const contents = "export { rows } from './rows.ts'; export { planned } from './planned.ts';";
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: `${root}/packages/requirements/src`, loader: 'ts' },
    bundle: true,
    format: 'esm',
    write: false,
  });
  const text = Buffer.from(outputFiles[0]?.contents ?? []).toString('base64');
  const { rows, planned } = await import(`data:text/javascript;base64,${text}`);
  /** @type {Map<string, string[]>} */
  const groups = new Map();
  for (const { id, source } of rows) {
    if (planned.includes(id)) continue;
    const group = id.startsWith('R-') ? id.split('.')[0] : source;
    groups.set(group, [...(groups.get(group) ?? []), id]);
  }
  return groups;
}
