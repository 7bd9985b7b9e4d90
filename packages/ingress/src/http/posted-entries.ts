import { type Entry, entryOf } from '../session/entry.ts';
import { entriesOf } from './parameters.ts';
import { payloadTexts } from './payload-texts.ts';
import type { Body } from './read-body.ts';

/** The entries of a POST, each with its message as it was written where that can be kept; undefined for what is none. */
export function postedEntries({ value, text }: Body): readonly (Entry | undefined)[] {
  const entries = entriesOf(value, 'events');
  const texts = payloadTexts(text);
  // An escape in the name of a member hides it; then all are written anew.
  const written = texts.length === entries.length ? texts : [];
  return entries.map((entry, index) => entryOf(entry, undefined, written[index]));
}
