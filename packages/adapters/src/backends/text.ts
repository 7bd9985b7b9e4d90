import { defineBackend } from '../backend.ts';

/** Any program that prints an answer, with `<event>` tags or without. It names none: one is given with the invocation. */
export const text = defineBackend({
  name: 'text',
  command: '',
  args: () => [],
});
