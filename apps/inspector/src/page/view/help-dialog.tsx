import type { RefObject } from 'preact';
import { KEY_HELP } from './keys.ts';

const FILTER_HELP: readonly (readonly [term: string, means: string])[] = [
  ['type:control_request', 'messages with this type, subtype or type/subtype; * matches anything'],
  ['dir:host  dir:agent', 'messages that this side sent'],
  ['span:permission', 'frames that begin or end a turn, request, permission, hook, mcp, tool, subagent or task'],
  [
    'status:error',
    'frames with this status: open, ok, error, cancelled; known, dropped, unknown, invalid, unmatched, lost',
  ],
  ['duration:>500ms', 'frames that begin or end a longer span; < means shorter, s and m are other units'],
  ['text:foo  "two words"', 'frames that contain this text, in upper or lower case'],
  ['-term', 'frames that the term does not match; commas separate alternatives'],
];

/** Shows the keys of the page, and the terms of a filter. */
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
