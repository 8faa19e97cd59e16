/** Creates elements. Texts from files are inserted as text, never as markup. */
import { html } from '../../../batch/report/markup.ts';

/**
 * Creates an element.
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
 * Returns the element with an id.
 *
 * @template {HTMLElement} Kind
 * @param {string} id
 * @param {new () => Kind} kind its class
 * @returns {Kind}
 */
export function byId(id, kind) {
  const found = document.getElementById(id);
  if (found instanceof kind) return found;
  throw new Error(`the page has no ${kind.name} with the id ${id}`);
}

/**
 * Creates a button.
 *
 * @param {() => void} act
 * @param {string} text
 */
export function plainButton(act, text = '') {
  const made = createElement('button', { type: 'button', class: 'small' }, text);
  made.addEventListener('click', act);
  return made;
}

/**
 * A heading of a name and its state.
 *
 * @param {string} name
 * @param {string} state
 * @param {string} text the text of the state
 */
export function heading(name, state, text) {
  return html`<h3><bdi>${name}</bdi><span class="state ${state}">${text}</span></h3>`;
}

/**
 * Makes the items the children of a list, in this order. Items already in place are not touched, so they keep the focus.
 *
 * @param {HTMLElement} list
 * @param {readonly HTMLElement[]} items
 */
export function updateChildren(list, items) {
  for (const child of [...list.children]) {
    if (child instanceof HTMLElement && !items.includes(child)) child.remove();
  }
  for (const [k, item] of items.entries()) {
    if (list.children[k] !== item) list.insertBefore(item, list.children[k] ?? null);
  }
}
