/**
 * A fault to plant: one line of a source file, and what stands in its place.
 * @typedef {object} Fault
 * @property {string} id The area and what goes wrong.
 * @property {string} file Its path from the root folder.
 * @property {string} line The line without its indentation; there is no other like it in the file.
 * @property {string} becomes The faulty line; empty where the line is left out.
 * @property {readonly string[]} [rows] The requirement rows it breaks: a test that cites one of them has to find it.
 * @property {string} [scenario] In place of rows: of which scenario random schedules have to find it.
 * @property {readonly string[]} [tests] In place of rows, where none is about it: the test files of which one has to find it.
 */

/**
 * The text of a file with the fault in it. Throws when the line is not there, or more than once: the source has changed, and the
 * fault has to follow.
 * @param {string} text
 * @param {Fault} fault
 */
export function withFault(text, { id, file, line, becomes }) {
  const lines = text.split('\n');
  const places = lines.flatMap((one, place) => (one.trim() === line ? [place] : []));
  const [place] = places;
  if (place === undefined || places.length > 1) {
    throw new Error(`${id} is stale: ${file} has its line ${places.length} times: ${line}`);
  }
  lines[place] = becomes;
  return lines.join('\n');
}
