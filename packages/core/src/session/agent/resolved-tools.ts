/** How much is remembered. */
export interface ResolvedToolsOptions {
  /** The oldest is forgotten first. Default: none is, for the life of the session; with a bound, a late duplicate runs its tool again. */
  readonly maxResolvedTools?: number;
}

/** The tool calls whose permission has been decided, by `tool_use_id`: a second answer for one of them is a duplicate. */
export interface ResolvedTools {
  readonly size: number;
  add(toolUseID: string): void;
  has(toolUseID: string): boolean;
  /** What has been added so far, to forget it when the peer can no longer repeat it: one mark for each cursor received. */
  mark(): number;
  /** Forgets what had been added at that mark: the cursor received with it has been acknowledged. */
  forgetUpTo(mark: number): void;
}

/** Makes a memory of resolved tools with nothing in it. */
export function createResolvedTools(options: ResolvedToolsOptions = {}): ResolvedTools {
  const { maxResolvedTools = Number.POSITIVE_INFINITY } = options;
  // In the order they were added, each with how many had been by then.
  const added = new Map<string, number>();
  let count = 0;

  return {
    get size() {
      return added.size;
    },
    add(toolUseID) {
      added.delete(toolUseID);
      added.set(toolUseID, ++count);
      if (added.size > maxResolvedTools) added.delete(added.keys().next().value as string);
    },
    has: (toolUseID) => added.has(toolUseID),
    mark: () => count,
    forgetUpTo(mark) {
      for (const [toolUseID, place] of added) {
        if (place > mark) return;
        added.delete(toolUseID);
      }
    },
  };
}
