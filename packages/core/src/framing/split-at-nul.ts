/**
 * Returns the lines that a line of a file holds: the texts between runs of NUL characters, without blank ones. After a crash or a full disk a file
 * system can leave blocks of NULs, before, between and after records. JSON never has a NUL, so none is a part of a record. Use it for files only: from
 * a peer, a NUL makes its line malformed.
 */
export function splitAtNul(line: string): readonly string[] {
  return line.includes('\0') ? line.split(/\0+/).filter((part) => part.trim() !== '') : [line];
}
