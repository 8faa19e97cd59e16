/** Elements out of texts: whatever a file is called or says, it is text and never markup. */

/**
 * An element.
 *
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Readonly<Record<string, string>>} attributes
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[Name]}
 */
export function createElement(name, attributes, ...children) {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  made.append(...children);
  return made;
}

/**
 * The element of the page that has an id.
 *
 * @template {HTMLElement} Kind
 * @param {string} id
 * @param {new () => Kind} kind what it is
 * @returns {Kind}
 */
export function byId(id, kind) {
  const found = document.getElementById(id);
  if (found instanceof kind) return found;
  throw new Error(`the page has no ${kind.name} with the id ${id}`);
}

/**
 * A button that does something.
 *
 * @param {string} text
 * @param {string} about what it is for, where its text alone does not say that
 * @param {() => void} act
 */
export function button(text, about, act) {
  const made = createElement(
    'button',
    { type: 'button', class: 'small', 'aria-label': `${text}: ${about}` },
    text,
  );
  made.addEventListener('click', act);
  return made;
}

/**
 * A name and the state beside it.
 *
 * @param {string} name
 * @param {string} state
 * @param {string} text the state in words
 */
export function heading(name, state, text) {
  return createElement(
    'h3',
    {},
    createElement('bdi', {}, name),
    createElement('span', { class: `state ${state}` }, text),
  );
}
