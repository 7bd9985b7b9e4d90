import { defineBackend } from '../backend.ts';

/** Any program that takes a prompt on stdin and prints an answer, with `<event>` tags or without. `cat` until told which. */
export const text = defineBackend({
  name: 'text',
  command: 'cat',
  args: () => [],
});
