const acts = new Set<() => void>();

/** Has something done when this process exits, in whatever way it can tell of, until the call that it gives. */
export function atExit(act: () => void): () => void {
  // One listener for all: from the eleventh on Node warns of a leak.
  if (acts.size === 0) process.on('exit', actAll);
  acts.add(act);
  return () => {
    acts.delete(act);
    if (acts.size === 0) process.off('exit', actAll);
  };
}

function actAll(): void {
  for (const act of acts) act();
}
