/** Writes the checks: a function for each shape, which reads one member after the other and stops at the first wrong member. */
import { DIRECTIONS } from './read-schemas.mjs';

/** @typedef {import('./read-schemas.mjs').Node} Node */
/** @typedef {import('./read-schemas.mjs').Protocol} Protocol */

const ATOMS = { string: 'text', number: 'number', boolean: 'flag' };
const PARTS = [
  'flag',
  'has',
  'kind',
  'kinds',
  'list',
  'map',
  'nullableNumber',
  'nullableText',
  'number',
  'object',
  'optionalFlag',
  'optionalNullableNumber',
  'optionalNullableText',
  'optionalNumber',
  'optionalText',
  'requests',
  'subtypeOf',
  'text',
  'texts',
];
const TYPES = ['Check', 'Kind'];

/** The checks of all messages and of the answers to control requests. */
export function writeMessageChecks({ messages, requests, answers }) {
  const functions = new Functions();
  const lookUps = DIRECTIONS.map((direction) => lookUp(direction, messages[direction], requests, functions));
  const cases = Object.entries(answers).map(
    ([subtype, node]) => `    case '${subtype}': return ${functions.of(node, `${subtype}_answer`)};`,
  );
  return withImports([
    ...functions.written,
    ...lookUps,
    `/** Returns the check of a success payload, by the subtype of its request. Returns \`undefined\` if any payload is valid. */
export function answerCheck(subtype: string): Check | undefined {
  switch (subtype) {
${cases.join('\n')}
    default: return undefined;
  }
}`,
  ]);
}

/** The checks of what a session acts on. */
export function writeMinimalChecks({ minimal }) {
  const functions = new Functions();
  for (const [name, node] of Object.entries(minimal)) functions.export(node, name);
  return withImports(functions.written);
}

/** @param {readonly string[]} parts */
function withImports(parts) {
  const text = parts.join('\n');
  const used = (/** @type {string} */ name) => new RegExp(`(?<![.\\w'"])${name}[(),; ]`).test(text);
  const names = [...TYPES.filter(used).map((name) => `type ${name}`), ...PARTS.filter(used)];
  return `import { ${names.join(', ')} } from '../check-parts.ts';\n\n${text}\n`;
}

function lookUp(direction, messages, requests, functions) {
  const side = direction === 'from-agent' ? 'agent' : 'host';
  const types = new Map();
  const add = (/** @type {string} */ key, /** @type {Node} */ node) => {
    const check = functions.ofKind(node, ['type', 'subtype'], `${side}_${key}`);
    const [type = '', subtype] = key.split('/');
    types.set(type, [...(types.get(type) ?? []), { key, subtype, check }]);
  };
  for (const [key, node] of Object.entries(messages)) if (key !== 'control_request') add(key, node);
  for (const [subtype, { node, direction: sender }] of Object.entries(requests)) {
    if (sender === direction || sender === 'both') add(`control_request/${subtype}`, node);
  }
  const families = [...types].map(([type, known]) => familyOf(`${side}_${type}`, type, known));
  return `${families.flatMap(({ constants }) => constants).join('\n')}

/** Finds the name and the check of a message from ${side === 'agent' ? 'an agent' : 'a host'}. Returns \`null\` if a required subtype is missing. */
export function ${side === 'agent' ? 'kindFromAgent' : 'kindFromHost'}(type: string, v: any): Kind | null | undefined {
  switch (type) {
${families.map(({ type, kind }) => `    case '${type}': return ${kind};`).join('\n')}
    default: return undefined;
  }
}
`;
}

/** How the kind of a message of one type is found. Subtypes stand in a table: a `switch` over a hundred of them takes longer to compile than to use. */
function familyOf(name, type, known) {
  const itself = known.find(({ subtype }) => subtype === undefined);
  if (itself === undefined) {
    const checks = known.map(({ subtype, check }) => `  ${subtype}: ${check},`).join('\n');
    const isRequest = type === 'control_request';
    const constants = [`const ${name} = ${isRequest ? 'requests' : 'kinds'}('${type}', {\n${checks}\n});`];
    return { type, constants, kind: isRequest ? `${name}.get(v.request?.subtype)` : `subtypeOf(${name}, v)` };
  }
  const constants = known.map(({ key, check }) => `const ${nameOf(name, key)} = kind('${key}', ${check});`);
  // An echo has no subtype.
  const echo = known.find(({ subtype }) => subtype === 'replay');
  if (echo === undefined) return { type, constants, kind: name };
  const kind = `v.isReplay === undefined || v.isReplay === false ? ${name} : ${nameOf(name, echo.key)}`;
  return { type, constants, kind };
}

function nameOf(family, key) {
  return key.includes('/') ? `${family}_${key.slice(key.indexOf('/') + 1)}` : family;
}

/** The functions that were written, each once. */
class Functions {
  #names = new Map();
  #kinds = new Map();
  #taken = new Set();
  /** @type {string[]} */
  written = [];

  /** The name of the function that checks a node. @param {Node} node */
  of(node, hint) {
    const atom = ATOMS[node.kind];
    if (atom !== undefined) return atom;
    const known = this.#names.get(node);
    if (known !== undefined) return known;
    const name = this.#free(`is${node.id ?? `_${hint}`}`);
    this.#names.set(node, name);
    this.#write(`const ${name} = ${this.#body(node, name)};`);
    return name;
  }

  /** The name of the function that checks an object whose discriminators were already checked. */
  ofKind(node, keys, hint) {
    const known = this.#kinds.get(node);
    if (known !== undefined) return known;
    const name = this.#free(`is${node.id ?? `_${hint}`}`);
    this.#kinds.set(node, name);
    const conditions = this.#rest(node, keys, name);
    const parameter = conditions.length === 0 ? '_: any' : 'v: any';
    this.#write(`const ${name} = (${parameter}): boolean =>\n  ${conditions.join(' &&\n  ') || 'true'};`);
    return name;
  }

  export(node, name) {
    const body = this.#body(node, name);
    this.#names.set(node, name);
    this.#write(
      `/** Checks a value against \`${name}\` of \`schemas/minimal-schemas.ts\`. */\nexport const ${name}: Check = ${body};`,
    );
  }

  #write(text) {
    this.written.push(text);
  }

  #free(wanted) {
    const name = wanted.replaceAll(/\W/g, '_');
    let free = name;
    for (let count = 2; this.#taken.has(free); count++) free = `${name}${count}`;
    this.#taken.add(free);
    return free;
  }

  /** @param {Node} node */
  #body(node, name) {
    if (node.kind === 'object') {
      const members = node.members.flatMap((member) => this.#member(member, name));
      return `(v: any): boolean =>\n  ${['object(v)', ...members].join(' &&\n  ')}`;
    }
    if (node.kind === 'kinds') return this.#switch(node, name);
    return `(v: any): boolean => ${this.#condition(node, 'v', name)}`;
  }

  #switch({ key, isOpen, options }, name) {
    const cases = options.map(({ node, values }) => {
      const labels = values.map((value) => `    case ${JSON.stringify(value)}:`).join('\n');
      return `${labels} return ${this.#kindCondition(node, key, `${name.replace(/^is_?/, '')}_${values[0]}`)};`;
    });
    const rest = isOpen ? `text(v.${key})` : 'false';
    return `(v: any): boolean => {\n  if (!object(v)) return false;\n  switch (v.${key}) {\n${cases.join('\n')}\n    default: return ${rest};\n  }\n}`;
  }

  /** What is still to be checked of an object whose kind is known. */
  #kindCondition(node, key, hint) {
    if (node.kind !== 'object') return `${this.of(node, hint)}(v)`;
    if (node.id !== undefined) return `${this.ofKind(node, [key], hint)}(v)`;
    return this.#rest(node, [key], hint).join(' && ') || 'true';
  }

  #rest(node, keys, hint) {
    const rest = node.members.filter((member) => member.node.kind !== 'literal' || !keys.includes(member.name));
    return rest.flatMap((member) => this.#member(member, hint));
  }

  /** The conditions of one member; none if it may be anything. */
  #member({ name, node, presence }, owner) {
    const at = /^[A-Za-z_]\w*$/.test(name) ? `v.${name}` : `v[${JSON.stringify(name)}]`;
    const hint = `${owner.replace(/^is_?/, '')}_${name}`;
    if (presence === 'required') {
      return node.kind === 'unknown' ? [`has(v, ${JSON.stringify(name)})`] : [this.#condition(node, at, hint)];
    }
    if (node.kind === 'unknown') return [];
    if (ATOMS[node.kind]) return [`optional${capital(ATOMS[node.kind])}(${at})`];
    const condition = this.#condition(node, at, hint);
    if (condition.startsWith('nullable')) return [`optional${capital(condition)}`];
    return [`(${at} === undefined || ${condition})`];
  }

  /** An expression that is true if `at` passes. */
  #condition(node, at, hint) {
    switch (node.kind) {
      case 'unknown':
        return 'true';
      case 'literal':
        return parenthesised(node.values.map((value) => `${at} === ${JSON.stringify(value)}`));
      case 'nullable':
        if (node.inner.kind === 'string') return `nullableText(${at})`;
        if (node.inner.kind === 'number') return `nullableNumber(${at})`;
        return `(${at} === null || ${this.#condition(node.inner, at, hint)})`;
      case 'array':
        if (node.inner.kind === 'unknown') return `Array.isArray(${at})`;
        if (node.inner.kind === 'string') return `texts(${at})`;
        return `list(${at}, ${this.of(node.inner, hint)})`;
      case 'record':
        return node.inner.kind === 'unknown' ? `object(${at})` : `map(${at}, ${this.of(node.inner, hint)})`;
      case 'union':
        return parenthesised(node.options.map((option) => this.#condition(option, at, hint)));
      default:
        return `${this.of(node, hint)}(${at})`;
    }
  }
}

function parenthesised(conditions) {
  return conditions.length === 1 ? conditions[0] : `(${conditions.join(' || ')})`;
}

function capital(word) {
  return word[0].toUpperCase() + word.slice(1);
}
