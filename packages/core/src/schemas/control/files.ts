import * as z from 'zod/mini';
import { openEnum, openObject, protocol, requestOf } from '../open.ts';

/** Requests about files. */
export const fileRequests = {
  file_suggestions: requestOf('file_suggestions', { query: z.string().check(z.describe('What the user has typed so far behind an `@`.')) }).register(protocol, {
    id: 'SDKControlFileSuggestionsRequest',
    description: 'Asks which files the user may mean.',
  }),
  read_file: requestOf('read_file', {
    path: z.string(),
    max_bytes: z.optional(z.number()).check(z.describe('How much to read at most, in bytes; 1 MB where it is absent.')),
    encoding: z.optional(openEnum(['utf-8', 'base64'])).check(z.describe('How to write `contents` of the answer; `base64` is for files that are not text.')),
  }).register(protocol, { id: 'SDKControlReadFileRequest', description: 'Reads a file, as far as the rules of reading allow.' }),
  seed_read_state: requestOf('seed_read_state', {
    path: z.string(),
    mtime: z.number().check(z.describe('When the file was changed last, as the host saw it: whole milliseconds since 1970.')),
  }).register(protocol, { id: 'SDKControlSeedReadStateRequest', description: 'Tells that the host has read a file, so that the agent may edit it.' }),
  rewind_files: requestOf('rewind_files', {
    user_message_id: z.string().check(z.describe('The `uuid` of the prompt.')),
    dry_run: z.optional(z.boolean()).check(z.describe('With true nothing is changed, and the answer says what would be.')),
  }).register(protocol, { id: 'SDKControlRewindFilesRequest', description: 'Puts the files back to what they were before a prompt.' }),
  register_repo_root: requestOf('register_repo_root', {
    directory: z.string().check(z.describe('A directory below the working directory, or below one given by `--add-dir`; any other is refused.')),
    reload_claude_md: z.optional(z.boolean()).check(z.describe('With true the files of instructions (`CLAUDE.md`) are read again.')),
    reload_plugins: z.optional(z.boolean()),
    reload_skills: z.optional(z.boolean()),
  }).register(protocol, { id: 'SDKControlRegisterRepoRootRequest', description: 'Adds a directory below the working directory as a root.' }),
};

/** The payloads of their answers. */
export const fileResponses = {
  file_suggestions: openObject({ suggestions: z.optional(z.array(z.unknown())), cwd: z.optional(z.string()) }).register(protocol, {
    id: 'SDKControlFileSuggestionsResponse',
    description: 'The files the user may mean.',
  }),
  read_file: openObject({
    contents: z.string().check(z.describe('The text of the file, or its bytes in base64 where `encoding` says so.')),
    absPath: z.string().check(z.describe('The absolute path of the file that was read.')),
    truncated: z.optional(z.boolean()).check(z.describe('True where the file is longer than `max_bytes` and its end is missing here.')),
    encoding: z.optional(openEnum(['base64'])).check(z.describe('Absent where `contents` is text.')),
    lossy: z.optional(z.boolean()),
  }).register(protocol, { id: 'SDKControlReadFileResponse', description: 'What the file holds.' }),
  seed_read_state: openObject({}),
  rewind_files: openObject({
    canRewind: z.boolean().check(z.describe('Whether the files can be put back; where they cannot, `error` says why.')),
    error: z.optional(z.string()),
    filesChanged: z.optional(z.array(z.string())).check(z.describe('Paths of the files that were put back, or would be with `dry_run`.')),
    insertions: z.optional(z.number()),
    deletions: z.optional(z.number()),
    skippedLinks: z.optional(z.number()),
  }).register(protocol, { id: 'RewindFilesResult', description: 'What was put back, or would be.' }),
  register_repo_root: openObject({}),
};
