import * as z from 'zod/mini';
import { hookInputOf, specificOutputOf } from './base.ts';
import { openEnum } from '../open.ts';

/** The inputs of the hooks for files and settings. */
export const workspaceHookInputs = {
  InstructionsLoaded: hookInputOf('InstructionsLoaded', 'The agent has read an instruction file.', {
    file_path: z.string().check(z.describe('The absolute path of the file.')),
    memory_type: openEnum(['User', 'Project', 'Local', 'Managed']).check(
      z.describe('Who the instructions in the file come from: the user, the project, the user but only for this project, or the organisation.'),
    ),
    load_reason: openEnum(['session_start', 'nested_traversal', 'path_glob_match', 'include', 'compact']).check(
      z.describe('Why the file was read. The matchers of hooks are compared with this value.'),
    ),
    globs: z.optional(z.array(z.string())).check(z.describe('The patterns of the paths that the instructions apply to. Present only with `path_glob_match`.')),
    trigger_file_path: z.optional(z.string()).check(z.describe('The file that caused the agent to read the instructions. Absent at the start of a session.')),
    parent_file_path: z.optional(z.string()).check(z.describe('The file that includes this instruction file. Present only with `include`.')),
  }),
  ConfigChange: hookInputOf('ConfigChange', 'A settings file or a skill has changed.', {
    source: openEnum(['user_settings', 'project_settings', 'local_settings', 'policy_settings', 'skills']).check(
      z.describe('The kind of the file. The matchers of hooks are compared with this value.'),
    ),
    file_path: z.optional(z.string()),
  }),
  CwdChanged: hookInputOf('CwdChanged', 'The working directory has changed.', { old_cwd: z.string(), new_cwd: z.string() }),
  DirectoryAdded: hookInputOf('DirectoryAdded', 'The agent was given access to another directory.', {
    directory: z.string(),
    source: openEnum(['slash_command', 'register_repo_root']).check(
      z.describe('What added the directory: a command of the user, or the control request `register_repo_root`.'),
    ),
  }),
  FileChanged: hookInputOf('FileChanged', 'A watched file has changed.', {
    file_path: z.string().check(z.describe('The absolute path of the file.')),
    event: openEnum(['change', 'add', 'unlink']).check(z.describe('What happened to the file. `unlink` means that the file was deleted.')),
  }),
  WorktreeCreate: hookInputOf('WorktreeCreate', 'The agent needs a worktree. The hook creates the worktree and answers with its path.', {
    name: z.string().check(z.describe('A short name for the worktree, given by the user or generated.')),
  }),
  WorktreeRemove: hookInputOf('WorktreeRemove', 'A worktree is no longer needed.', {
    worktree_path: z.string().check(z.describe('The absolute path of the worktree.')),
  }),
};

const watched = {
  watchPaths: z
    .optional(z.array(z.string()))
    .check(z.describe('Absolute paths to watch for `FileChanged`. These paths replace the paths that hooks named earlier.')),
};

/** The event-specific answer members of the hooks for files and settings. */
export const workspaceHookOutputs = {
  CwdChanged: specificOutputOf('CwdChanged', watched),
  FileChanged: specificOutputOf('FileChanged', watched),
  WorktreeCreate: specificOutputOf('WorktreeCreate', {
    worktreePath: z.string().check(z.describe('The absolute path of the worktree that the hook created.')),
  }),
};
