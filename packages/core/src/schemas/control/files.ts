import * as z from 'zod/mini';
import { openEnum, openObject, protocol, requestOf } from '../open.ts';

/** Requests about files. */
export const fileRequests = {
  file_suggestions: requestOf('file_suggestions', { query: z.string().check(z.describe('The text that the user has typed so far after an `@`.')) }).register(
    protocol,
    { id: 'SDKControlFileSuggestionsRequest', description: 'Asks for files that match the text the user is typing.' },
  ),
  read_file: requestOf('read_file', {
    path: z.string(),
    max_bytes: z.optional(z.number()).check(z.describe('The maximum number of bytes to read. Default 1 MB.')),
    encoding: z
      .optional(openEnum(['utf-8', 'base64']))
      .check(z.describe('The encoding of `contents` in the answer. Use `base64` for files that are not text.')),
  }).register(protocol, { id: 'SDKControlReadFileRequest', description: 'Reads a file, if the permission rules for reading allow it.' }),
  seed_read_state: requestOf('seed_read_state', {
    path: z.string(),
    mtime: z.number().check(z.describe('When the file was last changed, as the host saw it, in whole milliseconds since 1970.')),
  }).register(protocol, {
    id: 'SDKControlSeedReadStateRequest',
    description: 'Informs the agent that the host has read a file, so that the agent may edit it.',
  }),
  rewind_files: requestOf('rewind_files', {
    user_message_id: z.string().check(z.describe('The `uuid` of a prompt. The files are restored to their state before this prompt.')),
    dry_run: z.optional(z.boolean()).check(z.describe('If true, no file is changed, and the answer only lists what would change.')),
  }).register(protocol, { id: 'SDKControlRewindFilesRequest', description: 'Restores the files to their state before a prompt.' }),
  register_repo_root: requestOf('register_repo_root', {
    directory: z
      .string()
      .check(z.describe('A directory below the working directory, or below a directory given with `--add-dir`. Any other directory is refused.')),
    reload_claude_md: z.optional(z.boolean()).check(z.describe('If true, the instruction files (`CLAUDE.md`) are reloaded.')),
    reload_plugins: z.optional(z.boolean()),
    reload_skills: z.optional(z.boolean()),
  }).register(protocol, { id: 'SDKControlRegisterRepoRootRequest', description: 'Adds a directory below the working directory as a repository root.' }),
};

/** The payloads of the answers to these requests. */
export const fileResponses = {
  file_suggestions: openObject({ suggestions: z.optional(z.array(z.unknown())), cwd: z.optional(z.string()) }).register(protocol, {
    id: 'SDKControlFileSuggestionsResponse',
    description: 'The matching files.',
  }),
  read_file: openObject({
    contents: z.string().check(z.describe('The text of the file, or its bytes in base64 if `encoding` is `base64`.')),
    absPath: z.string().check(z.describe('The absolute path of the file that was read.')),
    truncated: z.optional(z.boolean()).check(z.describe('True if the file is longer than `max_bytes`, so that `contents` lacks the end of the file.')),
    encoding: z.optional(openEnum(['base64'])).check(z.describe('The encoding of `contents`. Absent if `contents` is text.')),
    lossy: z.optional(z.boolean()),
    // Seen on the wire, not declared by the published SDK.
    requested_path: z.optional(z.string()).check(z.describe('The `path` of the request, unchanged.')),
  }).register(protocol, { id: 'SDKControlReadFileResponse', description: 'The contents of the file.' }),
  seed_read_state: openObject({}),
  rewind_files: openObject({
    canRewind: z.boolean().check(z.describe('Whether the files can be restored. If false, `error` contains the reason.')),
    error: z.optional(z.string()),
    filesChanged: z.optional(z.array(z.string())).check(z.describe('The paths of the files that were restored or, with `dry_run`, would be restored.')),
    insertions: z.optional(z.number()),
    deletions: z.optional(z.number()),
    skippedLinks: z.optional(z.number()),
  }).register(protocol, { id: 'RewindFilesResult', description: 'The files that were restored or, with `dry_run`, would be restored.' }),
  register_repo_root: openObject({}),
};
