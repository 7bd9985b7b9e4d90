import { button, element } from './elements.mjs';

/**
 * Creates the card of one permission request: a person approves, denies with a message, or changes the input and approves. `answer` gets the decision,
 * once.
 */
export function createPromptCard({ tool_name, input, decision_reason }, answer) {
  const card = element('article', { className: 'prompt' });

  function show(...parts) {
    const reason = decision_reason === undefined ? [] : [element('p', { text: String(decision_reason) })];
    card.replaceChildren(element('h3', { text: tool_name }), ...reason, ...parts);
  }
  function decide(decision) {
    for (const one of card.querySelectorAll('button')) one.disabled = true;
    answer(decision);
  }

  function showQuestion() {
    show(
      shownInput(input),
      buttons(
        button('Deny', 'deny', showDenial),
        button('Approve', 'allow', () => decide({ behavior: 'allow', updatedInput: input })),
        button('Change the input', 'wide', showChange),
      ),
    );
  }

  function showDenial() {
    const message = element('input', {
      name: 'message',
      autocomplete: 'off',
      placeholder: 'for example: use the other branch',
    });
    const send = () =>
      decide({ behavior: 'deny', message: message.value.trim() || 'The user refused this tool call.' });
    message.onkeydown = ({ key }) => key === 'Enter' && send();
    const field = element('label', { text: 'Message for the agent' }, message);
    show(shownInput(input), field, buttons(button('Back', '', showQuestion), button('Deny', 'deny', send)));
    message.focus();
  }

  function showChange() {
    const error = element('p', { className: 'error', hidden: true });
    const fields = Object.entries(input).map(([name, value]) => createField(name, value));
    function send() {
      const wrong = fields.find(({ isValid }) => !isValid());
      if (wrong === undefined) {
        const updatedInput = Object.fromEntries(fields.map(({ name, value }) => [name, value()]));
        return decide({ behavior: 'allow', updatedInput });
      }
      error.textContent = `“${wrong.name}” is not JSON.`;
      error.hidden = false;
      return wrong.focus();
    }
    const labels = fields.map(({ label }) => label);
    show(...labels, error, buttons(button('Back', '', showQuestion), button('Approve', 'allow', send)));
    fields[0]?.focus();
  }

  showQuestion();
  return card;
}

function buttons(...all) {
  return element('div', { className: 'buttons' }, ...all);
}

/** Each member of an input under its name. */
function shownInput(input) {
  const members = Object.entries(input).flatMap(([name, value]) => [
    element('dt', { text: name }),
    element('dd', { text: textOf(value) }),
  ]);
  return element('dl', { tabIndex: 0, ariaLabel: 'Input of the tool' }, ...members);
}

/** A field for one member of an input. A text is edited as it is, and any other value as JSON. */
function createField(name, original) {
  const area = element('textarea', { name, value: textOf(original), spellcheck: false, autocapitalize: 'off' });
  area.rows = Math.min(12, area.value.split('\n').length);
  const parse = typeof original === 'string' ? String : JSON.parse;
  return {
    name,
    label: element('label', { text: name }, area),
    focus: () => area.focus(),
    value: () => parse(area.value),
    isValid() {
      try {
        parse(area.value);
        return true;
      } catch {
        return false;
      }
    },
  };
}

function textOf(value) {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}
