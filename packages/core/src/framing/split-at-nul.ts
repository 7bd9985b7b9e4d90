/**
 * Splits a line of a file at runs of NUL characters, and returns the non-blank texts between them. After a crash or a full disk, a file system can
 * leave blocks of NULs before, between and after records. JSON never contains a NUL, so a NUL is never part of a record. Use this function only for
 * files, because a NUL from a peer makes its line malformed.
 */
export function splitAtNul(line: string): readonly string[] {
  return line.includes('\0') ? line.split(/\0+/).filter((part) => part.trim() !== '') : [line];
}
