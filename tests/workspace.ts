/** Where the packages are, as pnpm-workspace.yaml says. */
interface Workspace {
  /** The folders of the packages that programs import or start, such as `packages/core`. */
  packageFolders(root?: string): readonly string[];
  /** The same and the folders of examples, tests and benchmarks. */
  workspaceFolders(root?: string): readonly string[];
}

const { packageFolders, workspaceFolders } = (await import(
  new URL('../scripts/workspace.mjs', import.meta.url).href
)) as Workspace;
export { packageFolders, workspaceFolders };
