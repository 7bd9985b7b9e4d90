import { cutText } from '@proto/core/framing';
import { useEffect, useState } from 'preact/hooks';
import type { ExplainedPlace } from '../engine/explain-message.ts';
import type { EngineClient } from '../engine/worker.ts';
import { visible } from './formats.ts';

type Found = readonly ExplainedPlace[] | { readonly failure: string } | undefined;

/** Shows the members of a message with the descriptions from the schemas. Members that the schemas do not define are marked. */
export function Explanation({ engine, index }: { readonly engine: EngineClient; readonly index: number }) {
  const [places, setPlaces] = useState<Found>();
  useEffect(() => {
    let isCurrent = true;
    engine.call('explain', index).then(
      (found) => isCurrent && setPlaces(found),
      (error: Error) => isCurrent && setPlaces({ failure: error.message }),
    );
    return () => {
      isCurrent = false;
    };
  }, [engine, index]);
  if (places === undefined) return <p class="empty">Reading the schemas…</p>;
  if ('failure' in places) return <p class="empty trouble">Nothing can be explained: {places.failure}</p>;
  if (places.length === 0)
    return <p class="empty">This frame is not a message of the protocol, so no schema describes it.</p>;
  const unknown = places.filter(({ check }) => check === 'unknown').length;
  return (
    <>
      <p class={unknown === 0 ? 'hint' : 'is-warning'}>
        {unknown === 0
          ? 'The schemas describe every part.'
          : `The schemas do not describe ${unknown === 1 ? 'one part' : `${unknown} parts`}, which are marked.`}
      </p>
      <dl class="explained">
        {places.map(({ path, depth, preview, sentence, check }) => (
          <div key={path} class={check === 'unknown' ? 'is-unknown' : ''} style={{ paddingLeft: `${depth * 14}px` }}>
            <dt>
              <span class="key">{visible(path.split('.').at(-1) ?? path)}</span>{' '}
              <code>{visible(cutText(preview, 200))}</code>
              {check === 'unknown' && <span class="flag is-warning">unknown</span>}
            </dt>
            {sentence !== undefined && <dd>{withCode(sentence)}</dd>}
          </div>
        ))}
      </dl>
    </>
  );
}

function withCode(sentence: string) {
  return sentence.split('`').map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part));
}
