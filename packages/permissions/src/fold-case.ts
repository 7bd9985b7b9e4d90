/** Folds a text as file systems do that ignore upper and lower case. */
export function foldCase(text: string): string {
  return text.normalize('NFC').toLowerCase();
}
