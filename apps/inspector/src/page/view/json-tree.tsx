import { useState } from 'preact/hooks';
import type { JsonChildren, JsonNode } from '../engine/json-nodes.ts';
import type { EngineClient } from '../engine/worker.ts';
import { countText, visible } from './formats.ts';

export interface JsonTreeProps {
  readonly engine: EngineClient;
  readonly index: number;
  readonly root: JsonChildren;
  readonly isMessage: boolean;
  readonly onRaw: () => void;
}

/** Shows a message as a tree. Members are requested when they are opened, so that even a large message can be shown quickly. */
export function JsonTree({ engine, index, root, isMessage, onRaw }: JsonTreeProps) {
  if (root.total === 0) {
    return (
      <p class="empty">
        {isMessage ? 'This object has no members. ' : 'This line is not a JSON object. '}
        <button type="button" class="link" onClick={onRaw}>
          Show it raw
        </button>
      </p>
    );
  }
  return <Members {...{ engine, index }} path={[]} first={root} depth={0} />;
}

interface MembersProps extends Pick<JsonTreeProps, 'engine' | 'index'> {
  readonly path: readonly string[];
  readonly first: JsonChildren;
  readonly depth: number;
}

function Members({ engine, index, path, first, depth }: MembersProps) {
  const [nodes, setNodes] = useState(first.nodes);
  const more = async () => {
    const next = await engine.call('children', index, path, nodes.length);
    setNodes([...nodes, ...next.nodes]);
  };
  return (
    <ul class="tree" role={depth === 0 ? 'tree' : 'group'} aria-label={depth === 0 ? 'Members' : undefined}>
      {nodes.map((node) => (
        <Member key={node.key} {...{ engine, index, node, depth }} path={[...path, node.key]} />
      ))}
      {nodes.length < first.total && (
        <li role="none">
          <button type="button" class="link" onClick={() => void more()}>
            {countText(first.total - nodes.length)} more
          </button>
        </li>
      )}
    </ul>
  );
}

interface MemberProps extends Pick<JsonTreeProps, 'engine' | 'index'> {
  readonly node: JsonNode;
  readonly path: readonly string[];
  readonly depth: number;
}

// The depth of the members that most people look for, such as the input of a tool.
const OPEN_DEPTH = 2;
const MAX_OPEN_SIZE = 12;

function Member({ engine, index, node, path, depth }: MemberProps) {
  const [children, setChildren] = useState<JsonChildren>();
  const [isOpen, setOpen] = useState(false);
  const [isTried, setTried] = useState(false);
  const open = async () => {
    setChildren(children ?? (await engine.call('children', index, path, 0)));
    setOpen(true);
  };
  if (!isTried && node.size > 0 && node.size <= MAX_OPEN_SIZE && depth < OPEN_DEPTH) {
    setTried(true);
    void open();
  }
  const name = <span class="key">{visible(node.key)}</span>;
  if (node.size === 0) {
    return (
      <li role="treeitem" aria-selected={false}>
        <span class="leaf">
          {name}:{' '}
          <span class={`is-${node.type}`}>
            {node.type === 'object' ? '{}' : node.type === 'array' ? '[]' : visible(node.preview)}
          </span>
        </span>
      </li>
    );
  }
  return (
    <li role="treeitem" aria-expanded={isOpen} aria-selected={false}>
      <button type="button" class="twist" onClick={() => (isOpen ? setOpen(false) : void open())}>
        <span aria-hidden="true">{isOpen ? '▾' : '▸'}</span> {name}{' '}
        <span class="hint">{node.type === 'array' ? `[${node.preview}]` : `{${visible(node.preview)}}`}</span>
      </button>
      {isOpen && children !== undefined && <Members {...{ engine, index, path }} first={children} depth={depth + 1} />}
    </li>
  );
}
