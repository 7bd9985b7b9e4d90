/** Creates an element. Text is never read as HTML: text from an agent is shown unchanged. */
export function element(name, { text, className, ...members } = {}, ...children) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (className !== undefined) made.className = className;
  Object.assign(made, members);
  made.append(...children);
  return made;
}

/** Creates a button. */
export function button(text, className, onclick) {
  return element('button', { type: 'button', text, className, onclick });
}
