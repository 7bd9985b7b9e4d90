import { useEffect, useState } from 'preact/hooks';
import type { WaitingRequest } from '../engine/engine.ts';
import type { EngineClient } from '../engine/worker.ts';
import { visible } from './formats.ts';
import { act } from './server-api.ts';

export interface WaitingRequestsProps {
  readonly engine: EngineClient;
  readonly id: string;
  readonly version: string;
  readonly count: number;
  readonly canAnswer: boolean;
  readonly onSelect: (index: number) => void;
  readonly onNotice: (text: string) => void;
}

const MAX_SHOWN = 5;
/** How long the buttons of a request stay disabled after it appears or moves, because a second click may be meant for the previous request. */
const SETTLE_MS = 500;

/** Shows the unanswered requests of the agent, with buttons to answer them manually. */
export function WaitingRequests({ engine, id, version, count, canAnswer, onSelect, onNotice }: WaitingRequestsProps) {
  const [waiting, setWaiting] = useState<readonly WaitingRequest[]>([]);
  useEffect(() => {
    if (count === 0) return setWaiting([]);
    let isCurrent = true;
    void engine.call('waiting').then((found) => isCurrent && setWaiting(found));
    return () => {
      isCurrent = false;
    };
  }, [engine, version, count]);
  if (count === 0 || waiting.length === 0) return undefined;
  return (
    <div class="waiting" role="region" aria-label="Waiting for an answer">
      <h2>
        Waiting for an answer <span class="badge">{count}</span>
      </h2>
      {waiting.slice(0, MAX_SHOWN).map((request, place) => (
        <WaitingCard key={request.requestId} {...{ id, request, place, canAnswer, onSelect, onNotice }} />
      ))}
    </div>
  );
}

interface WaitingCardProps extends Pick<WaitingRequestsProps, 'id' | 'canAnswer' | 'onSelect' | 'onNotice'> {
  readonly request: WaitingRequest;
  readonly place: number;
}

function WaitingCard({ id, request, place, canAnswer, onSelect, onNotice }: WaitingCardProps) {
  const { requestId, frame, request: body } = request;
  const isPermission = body['subtype'] === 'can_use_tool';
  const asked = isPermission ? (body['input'] ?? {}) : {};
  const [input, setInput] = useState(() => JSON.stringify(asked, null, 2));
  const [reason, setReason] = useState('');
  const [isSent, setSent] = useState(false);
  const takesAnswer = useSettled(place) && canAnswer && !isSent;
  const value = parsed(input);
  const answer = async (response: object) => {
    setSent(true);
    const message = { type: 'control_response', response: { request_id: requestId, ...response } };
    await act(id, { action: 'send', message }).catch((error: Error) => {
      setSent(false);
      onNotice(`No answer was sent: ${error.message}`);
    });
  };
  const success = (response: unknown) => answer({ subtype: 'success', response });
  const title = firstTextOf(body, isPermission ? ['display_name', 'tool_name'] : ['subtype']);
  const label = isPermission ? 'Input of the call (you may change it)' : 'Answer, as JSON';
  return (
    <article class="card" aria-label={`Request ${visible(title)}`} data-request={requestId}>
      <header class="row">
        <b>{visible(title)}</b>
        <button type="button" class="link" onClick={() => onSelect(frame)}>
          frame {frame + 1}
        </button>
        <span class="hint grow">{visible(firstTextOf(body, ['decision_reason', 'description']))}</span>
      </header>
      <textarea
        class="code"
        aria-label={label}
        title={label}
        spellcheck={false}
        rows={Math.min(8, input.split('\n').length)}
        value={input}
        onInput={(event) => setInput(event.currentTarget.value)}
        aria-invalid={value === undefined}
      />
      <div class="row answers">
        <button
          type="button"
          class="primary"
          disabled={!takesAnswer || value === undefined}
          onClick={() => void success(isPermission ? { behavior: 'allow', updatedInput: value } : value)}
        >
          {isPermission ? (input === JSON.stringify(asked, null, 2) ? 'Allow' : 'Allow with this input') : 'Answer'}
        </button>
        <input
          class="grow"
          aria-label={isPermission ? 'Denial message' : 'Error text'}
          placeholder={isPermission ? 'the reason, for the agent' : 'text of an error'}
          value={reason}
          onInput={(event) => setReason(event.currentTarget.value)}
        />
        <button
          type="button"
          class="danger"
          disabled={!takesAnswer}
          onClick={() =>
            void (isPermission
              ? success({ behavior: 'deny', message: reason === '' ? 'Denied manually.' : reason })
              : answer({ subtype: 'error', error: reason === '' ? 'Refused manually.' : reason }))
          }
        >
          {isPermission ? 'Deny' : 'Answer with an error'}
        </button>
      </div>
      {value === undefined && <p class="trouble">This is not a JSON object yet.</p>}
      {!canAnswer && <p class="hint">This page cannot answer requests of this session.</p>}
    </article>
  );
}

function useSettled(place: number): boolean {
  const [settled, setSettled] = useState<number>();
  useEffect(() => {
    const timer = setTimeout(() => setSettled(place), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [place]);
  return settled === place;
}

function firstTextOf(body: WaitingRequest['request'], names: readonly string[]): string {
  const texts = names.map((name) => body[name]);
  return texts.find((text) => typeof text === 'string') ?? '';
}

function parsed(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
