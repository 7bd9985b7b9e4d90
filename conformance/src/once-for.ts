/** All rules that need the value share it. The object must not change afterwards. */
export function onceFor<Of extends object, Found>(compute: (of: Of) => Found): (of: Of) => Found {
  const known = new WeakMap<Of, { readonly found: Found }>();
  return (of) => {
    const kept = known.get(of) ?? { found: compute(of) };
    known.set(of, kept);
    return kept.found;
  };
}
