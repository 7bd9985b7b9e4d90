import { useState } from 'preact/hooks';
import { act, type ServerState } from './server-api.ts';

export interface SessionControlsProps {
  readonly id: string;
  readonly state: ServerState;
  readonly onNotice: (text: string) => void;
}

/** Shows the controls for sending prompts, for interrupting the turn, and for holding back the messages of a direction. */
export function SessionControls({ id, state, onNotice }: SessionControlsProps) {
  const [text, setText] = useState('');
  const { rights, held, isEnded } = state;
  if (!rights.send && !rights.hold) return undefined;
  const run = async (action: object) => {
    try {
      await act(id, action);
      return true;
    } catch (error) {
      onNotice((error as Error).message);
      return false;
    }
  };
  const prompt = async () => {
    const message = {
      type: 'user',
      uuid: crypto.randomUUID(),
      session_id: '',
      parent_tool_use_id: null,
      message: { role: 'user', content: text },
    };
    if (text.trim() !== '' && (await run({ action: 'send', message }))) setText('');
  };
  const interrupt = () =>
    run({
      action: 'send',
      message: {
        type: 'control_request',
        request_id: `inspector-${crypto.randomUUID()}`,
        request: { subtype: 'interrupt' },
      },
    });
  return (
    <footer class="controls">
      <form
        class="field grow"
        onSubmit={(event) => {
          event.preventDefault();
          void prompt();
        }}
      >
        <textarea
          id="prompt"
          aria-label="Prompt"
          rows={1}
          placeholder="Send a prompt to the agent (Ctrl+Enter)"
          value={text}
          disabled={isEnded}
          onInput={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void prompt();
          }}
        />
        <button type="submit" class="primary" disabled={isEnded || text.trim() === ''}>
          Send
        </button>
      </form>
      <button type="button" onClick={() => void interrupt()} disabled={isEnded} title="Ask the agent to stop its turn">
        Interrupt
      </button>
      {rights.hold && (
        <span role="group" aria-label="Hold the messages in one direction" class="row">
          <HoldButton direction="from-host" isHeld={held.includes('from-host')} run={run} />
          <HoldButton direction="from-agent" isHeld={held.includes('from-agent')} run={run} />
        </span>
      )}
    </footer>
  );
}

interface HoldButtonProps {
  readonly direction: 'from-host' | 'from-agent';
  readonly isHeld: boolean;
  readonly run: (action: object) => Promise<boolean>;
}

function HoldButton({ direction, isHeld, run }: HoldButtonProps) {
  const way = direction === 'from-host' ? 'host → agent' : 'agent → host';
  return (
    <button
      type="button"
      class={isHeld ? 'is-held' : ''}
      aria-pressed={isHeld}
      data-hold={direction}
      onClick={() => void run({ action: isHeld ? 'release' : 'hold', direction })}
      title={isHeld ? `Release the held messages: ${way}` : `Hold messages: ${way}`}
    >
      {isHeld ? `Release ${way}` : `Hold ${way}`}
    </button>
  );
}
