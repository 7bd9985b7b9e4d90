import { useEffect, useRef } from 'preact/hooks';

/** The functions of keys, by key name. */
export type Keys = Readonly<Record<string, () => void>>;

/** Calls functions when keys are pressed, unless the user is typing text or a dialog is open. */
export function useKeys(keys: Keys): void {
  const current = useRef(keys);
  current.current = keys;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isWriting(event.target)) return;
      const act = Object.hasOwn(current.current, event.key) ? current.current[event.key] : undefined;
      if (act === undefined) return;
      event.preventDefault();
      act();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}

function isWriting(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, textarea, select, dialog[open]') !== null;
}

/** The keys of the page, as listed in its help. */
export const KEY_HELP: readonly (readonly [keys: string, does: string])[] = [
  ['↑ ↓ or k j', 'the previous frame, the next frame (in the list)'],
  ['Page Up, Page Down, Home, End', 'move in the list'],
  ['/', 'enter a filter; Esc shows all frames again'],
  ['p', 'go to the frame at the other end of the span: from a request to its answer, and back'],
  ['1 2 3', 'show the details as a tree, as raw text, or explained'],
  ['+ − 0', 'zoom the timeline in, out, to the whole session'],
  ['[ ]', 'move the timeline'],
  ['f', 'follow the end of a live session'],
  ['c', 'copy the frame and its partner as a fixture'],
  ['e', 'export the recording without secrets'],
  ['o', 'open a file'],
  ['t', 'switch between dark and light'],
  ['?', 'this list'],
];
