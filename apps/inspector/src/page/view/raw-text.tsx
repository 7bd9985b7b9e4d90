import { useEffect, useState } from 'preact/hooks';
import type { EngineClient } from '../engine/worker.ts';
import { countText, visible } from './formats.ts';

export interface RawTextProps {
  readonly engine: EngineClient;
  readonly index: number;
  readonly length: number;
}

// A browser takes minutes to lay out a line of many megabytes.
const STEP = 50_000;

/** Shows a line as it was sent, in parts. Invisible characters are replaced with symbols or their code points. */
export function RawText({ engine, index, length }: RawTextProps) {
  const [text, setText] = useState('');
  const load = async () => {
    const more = await engine.call('text', index, text.length, text.length + STEP);
    setText(text + more);
  };
  useEffect(() => void load(), []);
  return (
    <>
      <pre class="raw">{visible(text)}</pre>
      {text.length < length && text !== '' && (
        <button type="button" onClick={() => void load()}>
          {countText(text.length)} of {countText(length)} characters: show more
        </button>
      )}
    </>
  );
}
