import { randomUUID } from 'node:crypto';

import { isObject } from '../json.ts';
import { StepFailure } from '../steps/step-failure.ts';

/** Thrown if a template in a case names a value that no step has bound. */
export class TemplateError extends Error {
  /** Always `TemplateError`. */
  override readonly name = 'TemplateError';
}

/** The values that the steps of one case have bound by name. */
export class Variables {
  readonly #values = new Map<string, unknown>();

  /** Binds a value to a name. A later value with the same name replaces it. */
  bind(name: string, value: unknown): void {
    this.#values.set(name, value);
  }

  /** True if a value is bound to this name. */
  has(name: string): boolean {
    return this.#values.has(name);
  }

  /**
   * Returns the value at a path such as `ask.request.tool_use_id` or `list.0`.
   *
   * @throws {@link TemplateError} if the name is not bound. If a member does not exist, the value is `undefined`.
   */
  get(path: string): unknown {
    const [name = '', ...members] = path.split('.');
    if (!this.#values.has(name)) throw new TemplateError(`No earlier step has bound "${name}".`);
    let value: unknown = this.#values.get(name);
    for (const member of members) {
      if (Array.isArray(value)) value = value[Number(member)];
      else value = isObject(value) ? value[member] : undefined;
    }
    return value;
  }

  /**
   * Returns a copy of a value in a case with its templates replaced: `${uuid}` by a new UUID, `${NAME.path}` by the bound value. If a string consists
   * only of a template, the result is the value itself. `{$repeat: X, times: N}` is replaced by a long string or list, and `{$template: off, value:
   * X}` by the unchanged X.
   *
   * With `left-out`, a template may name a member that does not exist. The result is then `undefined`, or an empty string within a longer string.
   *
   * @throws {@link TemplateError} if a name is not bound.
   * @throws {@link StepFailure} if the bound value lacks a member, because the program under test did not send this member.
   */
  fill(value: unknown, missing: 'fails' | 'left-out' = 'fails'): unknown {
    if (typeof value === 'string') return this.#fillText(value, missing);
    if (Array.isArray(value)) return value.map((item) => this.fill(item, missing));
    if (!isObject(value)) return value;
    if ('$repeat' in value) return this.#repeated(value['$repeat'], Number(this.fill(value['times']) ?? 1));
    if (value['$template'] === 'off') return value['value'];
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, this.fill(member, missing)]));
  }

  /** In a list, templates are replaced separately for each repetition. */
  #repeated(value: unknown, times: number): unknown {
    if (Array.isArray(value)) return Array.from({ length: times }, () => value.map((item) => this.fill(item))).flat();
    return String(this.fill(value)).repeat(times);
  }

  /** Like {@link fill}, but always returns a string. A value of any other type is returned as JSON. */
  fillText(text: unknown): string {
    const filled = this.fill(text);
    return typeof filled === 'string' ? filled : JSON.stringify(filled);
  }

  #fillText(text: string, missing: 'fails' | 'left-out'): unknown {
    const whole = /^\$\{([^{}]+)\}$/.exec(text);
    if (whole) return this.#value(whole[1] ?? '', missing);
    return text.replaceAll(/\$\{([^{}]+)\}/g, (_, path: string) => {
      const value = this.#value(path, missing) ?? '';
      return typeof value === 'string' ? value : JSON.stringify(value);
    });
  }

  #value(path: string, missing: 'fails' | 'left-out'): unknown {
    const value = path === 'uuid' ? randomUUID() : this.get(path);
    if (value !== undefined || missing === 'left-out') return value;
    const [name = '', ...members] = path.split('.');
    throw new StepFailure(`The message "${name}" does not contain "${members.join('.')}".`, {
      got: this.#values.get(name),
    });
  }
}
