import { object, optional } from '../object-schema.ts';
import { array, boolean, type Infer, lazy, literal, number, openEnum, string, unknown } from '../schema.ts';

/** Requests about files. */
export const fileRequests = {
  file_suggestions: lazy(() => object({ subtype: literal('file_suggestions'), query: string })),
  read_file: lazy(() =>
    object({
      subtype: literal('read_file'),
      path: string,
      max_bytes: optional(number),
      encoding: optional(openEnum(['utf-8', 'base64'])),
    }),
  ),
  seed_read_state: lazy(() => object({ subtype: literal('seed_read_state'), path: string, mtime: number })),
  rewind_files: lazy(() =>
    object({ subtype: literal('rewind_files'), user_message_id: string, dry_run: optional(boolean) }),
  ),
  register_repo_root: lazy(() =>
    object({
      subtype: literal('register_repo_root'),
      directory: string,
      reload_claude_md: optional(boolean),
      reload_plugins: optional(boolean),
      reload_skills: optional(boolean),
    }),
  ),
};

/** Asks which files the user may mean. */
export type SDKControlFileSuggestionsRequest = Infer<typeof fileRequests.file_suggestions>;

/** Reads a file, as far as the rules of reading allow. */
export type SDKControlReadFileRequest = Infer<typeof fileRequests.read_file>;

/** Tells that the host has read a file, so that the agent may edit it. */
export type SDKControlSeedReadStateRequest = Infer<typeof fileRequests.seed_read_state>;

/** Puts the files back to what they were before a prompt. */
export type SDKControlRewindFilesRequest = Infer<typeof fileRequests.rewind_files>;

/** Adds a directory below the working directory as a root. */
export type SDKControlRegisterRepoRootRequest = Infer<typeof fileRequests.register_repo_root>;

/** The payloads of their answers. */
export const fileResponses = {
  file_suggestions: lazy(() => object({ suggestions: optional(array(unknown)), cwd: optional(string) })),
  read_file: lazy(() =>
    object({
      contents: string,
      absPath: string,
      truncated: optional(boolean),
      encoding: optional(openEnum(['base64'])),
      lossy: optional(boolean),
    }),
  ),
  seed_read_state: lazy(() => object({})),
  rewind_files: lazy(() =>
    object({
      canRewind: boolean,
      error: optional(string),
      filesChanged: optional(array(string)),
      insertions: optional(number),
      deletions: optional(number),
      skippedLinks: optional(number),
    }),
  ),
  register_repo_root: lazy(() => object({})),
};

/** The files the user may mean. */
export type SDKControlFileSuggestionsResponse = Infer<typeof fileResponses.file_suggestions>;

/** What the file holds. */
export type SDKControlReadFileResponse = Infer<typeof fileResponses.read_file>;

/** What was put back, or would be. */
export type RewindFilesResult = Infer<typeof fileResponses.rewind_files>;
