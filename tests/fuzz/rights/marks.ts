/** Who must not see a text: nobody at all, or not the agent. */
export type Forbidden = 'anybody' | 'the agent';

/** A finding of the fuzzer. */
export interface Finding {
  /** The kind of the finding: of several findings of one kind, one is reported. */
  readonly kind: string;
  /** The step that caused the finding. */
  readonly step: string;
  readonly detail: string;
  /** The mark that was seen, if there was one. */
  readonly mark?: string;
}

interface Sent {
  readonly step: string;
  readonly what: string;
  readonly how: string;
  readonly text: string;
}

/** Returns a number of a fixed length: the random choices of a step must not depend on earlier steps. */
export function fixed(number: number): string {
  return String(number).padStart(6, '0');
}

/** Creates marks that are put into messages, so that a message is recognized wherever it appears. */
export class Marks {
  readonly #room: string;
  readonly #sent = new Map<string, Sent>();
  #count = 0;

  constructor(room: number) {
    this.#room = fixed(room);
  }

  /** Creates a mark for a text that nobody, or no agent, may see. `what` names the trick; `text` is the sent text. */
  forbid(step: string, what: string, from: Forbidden = 'anybody'): string {
    const mark = `${from === 'anybody' ? 'illegal' : 'hidden'}_${this.#room}_${fixed(this.#count++)}_`;
    this.#sent.set(mark, { step, what, how: '', text: '' });
    return mark;
  }

  /** Creates a mark for a text that everybody may see. */
  allow(): string {
    return `legal_${this.#room}_${fixed(this.#count++)}_`;
  }

  /** Replaces the description of the text that has a mark. */
  describe(mark: string, how: string, text: string): void {
    const sent = this.#sent.get(mark);
    if (sent !== undefined) this.#sent.set(mark, { ...sent, how, text });
  }

  /** Describes the message that had a mark. */
  explained(mark: string): string {
    const { step, what, how, text } = this.#sent.get(mark) ?? { step: '', what: mark, how: '', text: '' };
    return `${step}: ${what}, ${how}\n    sent: ${shortened(text)}`;
  }

  /** Returns a finding for each mark in a text that its reader must not see. */
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

/** Shortens a text for a report. */
export function shortened(text: string): string {
  const printable = text.replace(/[^\x20-\x7e]/g, (character) => JSON.stringify(character).slice(1, -1));
  return printable.length <= 1500 ? printable : `${printable.slice(0, 1500)}… (${text.length} characters)`;
}
