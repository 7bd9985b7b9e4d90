/** Whether two types are assignable to each other. */
export type Mutual<Ours, Theirs> = [Ours] extends [Theirs] ? ([Theirs] extends [Ours] ? true : false) : false;

/** The names of the pairs that are not assignable to each other. */
export type Different<Pairs extends Record<string, [ours: unknown, theirs: unknown]>> = keyof {
  [Name in keyof Pairs as Mutual<Pairs[Name][0], Pairs[Name][1]> extends true ? never : Name]: never;
};
