/** When output is coloured. */
export type ColorMode = 'auto' | 'always' | 'never';

// By hand: what Node has looks at this process's own stdout.
const CODES = { dim: [2, 22], red: [31, 39], green: [32, 39], yellow: [33, 39], cyan: [36, 39] } as const;

type Color = keyof typeof CODES;

/** Colours a text, or leaves it as it is. */
export type Paint = (color: Color, text: string) => string;

/** Whether a stream is coloured: as asked, else by `NO_COLOR`, `FORCE_COLOR` and `TERM=dumb`, else where it is a terminal. */
export function createPaint(
  mode: ColorMode,
  env: Readonly<Record<string, string | undefined>>,
  { isTTY = false }: { readonly isTTY?: boolean },
): Paint {
  const { NO_COLOR = '', FORCE_COLOR = '', TERM } = env;
  const wanted = NO_COLOR === '' && (FORCE_COLOR !== '' ? FORCE_COLOR !== '0' : isTTY && TERM !== 'dumb');
  const colored = mode === 'always' || (mode === 'auto' && wanted);
  return (color, text) => {
    const [on, off] = CODES[color];
    return colored ? `\u001b[${on}m${text}\u001b[${off}m` : text;
  };
}
