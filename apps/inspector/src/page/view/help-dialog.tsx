import type { RefObject } from 'preact';
import { KEY_HELP } from './keys.ts';

const FILTER_HELP: readonly (readonly [term: string, means: string])[] = [
  ['type:control_request', 'messages of that type, subtype or type/subtype; * stands for anything'],
  ['dir:host  dir:agent', 'what that side sent'],
  ['span:permission', 'begins or ends a turn, request, permission, hook, mcp, tool, subagent or task'],
  ['status:error', 'open, ok, error, cancelled; known, dropped, unknown, invalid, unmatched, lost'],
  ['duration:>500ms', 'begins or ends a span that took longer; also <, s and m'],
  ['text:foo  "two words"', 'frames with that text, in any case'],
  ['-term', 'frames for which the term does not hold; a comma separates alternatives'],
];

/** The keys of the page, and the terms of a filter. */
export function HelpDialog({ dialog }: { readonly dialog: RefObject<HTMLDialogElement | null> }) {
  return (
    <dialog ref={dialog} aria-labelledby="help-title">
      <header class="row">
        <h2 id="help-title">Keys and filters</h2>
        <span class="grow" />
        <button type="button" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </header>
      <Definitions entries={KEY_HELP} isKey />
      <h3>A filter</h3>
      <Definitions entries={FILTER_HELP} />
    </dialog>
  );
}

function Definitions({
  entries,
  isKey = false,
}: {
  readonly entries: readonly (readonly [string, string])[];
  readonly isKey?: boolean;
}) {
  return (
    <dl class={isKey ? 'keys' : ''}>
      {entries.map(([term, means]) => (
        <div key={term}>
          <dt>{isKey ? <kbd>{term}</kbd> : <code>{term}</code>}</dt>
          <dd>{means}</dd>
        </div>
      ))}
    </dl>
  );
}
