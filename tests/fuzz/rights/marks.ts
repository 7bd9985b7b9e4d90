/** Who may not see something: nobody, or not the agent. */
export type Forbidden = 'anybody' | 'the agent';

/** What is not as it has to be. */
export interface Finding {
  /** What kind of thing it is: of several alike, one is enough to know. */
  readonly kind: string;
  /** The step that did it. */
  readonly step: string;
  readonly detail: string;
  /** What it was known by, where it was seen by a mark. */
  readonly mark?: string;
}

interface Sent {
  readonly step: string;
  readonly what: string;
  readonly how: string;
  readonly text: string;
}

/** A number of one length: what is at random in a step must not depend on what came before. */
export function fixed(number: number): string {
  return String(number).padStart(6, '0');
}

/** Marks put into what is sent, so that it is known again wherever it comes out. */
export class Marks {
  readonly #room: string;
  readonly #sent = new Map<string, Sent>();
  #count = 0;

  constructor(room: number) {
    this.#room = fixed(room);
  }

  /** A mark for what nobody, or no agent, may see. `what` names the trick, and `text` is what is sent. */
  forbid(step: string, what: string, from: Forbidden = 'anybody'): string {
    const mark = `${from === 'anybody' ? 'illegal' : 'hidden'}_${this.#room}_${fixed(this.#count++)}_`;
    this.#sent.set(mark, { step, what, how: '', text: '' });
    return mark;
  }

  /** A mark for what everybody may see. */
  allow(): string {
    return `legal_${this.#room}_${fixed(this.#count++)}_`;
  }

  /** Says more exactly what carries a mark. */
  describe(mark: string, how: string, text: string): void {
    const sent = this.#sent.get(mark);
    if (sent !== undefined) this.#sent.set(mark, { ...sent, how, text });
  }

  /** What carried a mark. */
  explained(mark: string): string {
    const { step, what, how, text } = this.#sent.get(mark) ?? { step: '', what: mark, how: '', text: '' };
    return `${step}: ${what}, ${how}\n    sent: ${shortened(text)}`;
  }

  /** What of a text its reader may not have seen. */
  findings(text: string, reader: string, isAgent: boolean): readonly Finding[] {
    const found =
      text
        .replaceAll('\0', '')
        .replaceAll('\\u0000', '')
        .match(/(?:illegal|hidden)_\d+_\d+_/g) ?? [];
    return [...new Set(found)].flatMap((mark) => {
      const sent = this.#sent.get(mark);
      if (sent === undefined || (mark.startsWith('hidden') && !isAgent)) return [];
      const { step, what, how, text: body } = sent;
      const detail = `${reader} has what it must not: ${how}\n    sent: ${shortened(body)}`;
      return [{ kind: what, step, detail, mark }];
    });
  }
}

/** So much of a text as helps a reader. */
export function shortened(text: string): string {
  const printable = text.replace(/[^\x20-\x7e]/g, (character) => JSON.stringify(character).slice(1, -1));
  return printable.length <= 1500 ? printable : `${printable.slice(0, 1500)}… (${text.length} characters)`;
}
