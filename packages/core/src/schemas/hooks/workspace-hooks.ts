import * as z from 'zod/mini';
import { hookInputOf, specificOutputOf } from './base.ts';
import { openEnum } from '../open.ts';

/** The inputs of the hooks around files and settings. */
export const workspaceHookInputs = {
  InstructionsLoaded: hookInputOf('InstructionsLoaded', 'A file of instructions was read.', {
    file_path: z.string().check(z.describe('The absolute path of the file.')),
    memory_type: openEnum(['User', 'Project', 'Local', 'Managed']).check(
      z.describe("Whose instructions these are: the user's, the project's, the user's for this project, or the organisation's."),
    ),
    load_reason: openEnum(['session_start', 'nested_traversal', 'path_glob_match', 'include', 'compact']).check(
      z.describe('Why the file was read; a matcher is compared with it.'),
    ),
    globs: z.optional(z.array(z.string())).check(z.describe('Patterns of the paths that the file is about; with `path_glob_match` only.')),
    trigger_file_path: z.optional(z.string()).check(z.describe('The file that made the agent read this one; absent at the start of a session.')),
    parent_file_path: z.optional(z.string()).check(z.describe('The file that includes this one; with `include` only.')),
  }),
  ConfigChange: hookInputOf('ConfigChange', 'A file of settings or skills changed.', {
    source: openEnum(['user_settings', 'project_settings', 'local_settings', 'policy_settings', 'skills']).check(
      z.describe('Which kind of file; a matcher is compared with it.'),
    ),
    file_path: z.optional(z.string()),
  }),
  CwdChanged: hookInputOf('CwdChanged', 'The working directory changed.', { old_cwd: z.string(), new_cwd: z.string() }),
  DirectoryAdded: hookInputOf('DirectoryAdded', 'A directory was added to those the agent may use.', {
    directory: z.string(),
    source: openEnum(['slash_command', 'register_repo_root']).check(
      z.describe('What added it: a command of the user, or the control request `register_repo_root`.'),
    ),
  }),
  FileChanged: hookInputOf('FileChanged', 'A watched file changed.', {
    file_path: z.string().check(z.describe('The absolute path of the file.')),
    event: openEnum(['change', 'add', 'unlink']).check(z.describe('`unlink` says that the file was deleted.')),
  }),
  WorktreeCreate: hookInputOf('WorktreeCreate', 'A worktree is wanted; the hook makes it and answers with its path.', {
    name: z.string().check(z.describe('A short name for the worktree, given by the user or made up.')),
  }),
  WorktreeRemove: hookInputOf('WorktreeRemove', 'A worktree is no longer wanted.', {
    worktree_path: z.string().check(z.describe('The absolute path of the worktree.')),
  }),
};

const watched = {
  watchPaths: z.optional(z.array(z.string())).check(z.describe('Absolute paths to watch for `FileChanged`, in place of those that hooks named before.')),
};

/** The answers of the hooks around files and settings that are particular to their event. */
export const workspaceHookOutputs = {
  CwdChanged: specificOutputOf('CwdChanged', watched),
  FileChanged: specificOutputOf('FileChanged', watched),
  WorktreeCreate: specificOutputOf('WorktreeCreate', {
    worktreePath: z.string().check(z.describe('The absolute path of the worktree that the hook has made.')),
  }),
};
