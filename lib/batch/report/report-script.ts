/**
 * The script of a report: it finds, sorts and filters the puzzles that are in the page, draws those that are opened, and
 * copies them. Without it, the page shows the same puzzles in their groups.
 *
 * It is a text, so that every bundle writes the same bytes: the content security policy of a report allows the script with
 * this hash and no other. It makes no request, and no markup from text: it creates elements and sets their text.
 */

import type { PageScript } from './html-page.ts';

export const REPORT_SCRIPT = String.raw`'use strict';
(() => {
  const CELL = 10;
  /** Puzzles that are shown of those found, and further ones on demand. */
  const SHOWN = 50;
  /** Shorter numbers are lines, not digits of puzzles. */
  const MIN_DIGITS = 4;
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];

  /** A new element with attributes and text. */
  function element(name, attributes, text, isSvg = false) {
    const made = isSvg ? document.createElementNS('http://www.w3.org/2000/svg', name) : document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    if (text !== undefined) made.textContent = text;
    return made;
  }
  const svg = (name, attributes, text) => element(name, attributes, text, true);

  /** The symbols of a grid: characters, or words. */
  function symbolsIn(text, count) {
    const characters = [...text];
    return characters.length === count ? characters : text.split(' ');
  }

  /** What the page says about the shape of a figure. */
  function shapeOf(figure) {
    const { columns, cells, places, ...shape } = document.getElementById(figure.dataset.shape).dataset;
    const placeOf = places === '' ? [...Array(Number(cells)).keys()] : places.split(' ').map(Number);
    return { ...shape, columns: Number(columns), placeOf };
  }

  const textsOf = (puzzle) => all('code', puzzle).map((code) => code.textContent);

  /** Draws a figure as the page draws the first ones. */
  function draw(figure) {
    const { blank, givens, clashes } = figure.parentElement.dataset;
    const { shape, solution, other, title } = figure.dataset;
    const { style, box, width, height, columns, placeOf } = shapeOf(figure);
    const texts = textsOf(figure.closest('details'));
    const symbolsOf = (number) => symbolsIn(number === '' ? '' : texts[number], placeOf.length);
    const [given, found, others] = [symbolsIn(givens || texts[0], placeOf.length), symbolsOf(solution), symbolsOf(other)];
    const clashing = new Set(clashes.split(' '));
    const paths = { tint: '', clash: '', differs: '' };
    const symbols = { given: svg('g', { class: 'given' }), found: svg('g', { class: 'found' }) };
    placeOf.forEach((place, cell) => {
      const [row, column] = [Math.floor(place / columns), place % columns];
      const [x, y] = [column * CELL, row * CELL];
      const square = 'M' + (x + 1) + ' ' + (y + 1) + 'h8v8h-8z';
      const isGiven = given[cell] !== (givens ? '.' : blank);
      if (isGiven) paths.tint += square;
      if (clashing.has('r' + (row + 1) + 'c' + (column + 1))) paths.clash += square;
      if (other !== '' && found[cell] !== others[cell]) paths.differs += square;
      const symbol = isGiven ? given[cell] : found[cell];
      if (symbol) symbols[isGiven ? 'given' : 'found'].append(svg('text', { x: x + CELL / 2, y: y + CELL / 2 }, symbol));
    });
    const drawing = svg('svg', { class: style, viewBox: box, width, height, role: 'img', 'aria-label': title });
    drawing.append(svg('use', { href: '#' + shape }));
    for (const [name, d] of Object.entries(paths)) if (d !== '') drawing.append(svg('path', { class: name, d }));
    for (const group of Object.values(symbols)) if (group.childElementCount > 0) drawing.append(group);
    const scroll = element('div', { class: 'scroll', role: 'group', 'aria-label': 'Drawing of ' + title, tabindex: '0' });
    scroll.append(drawing);
    figure.append(scroll);
  }

  /** The lines of a grid; words are aligned. */
  function gridText(text, { columns, placeOf }) {
    const symbols = symbolsIn(text, placeOf.length);
    const width = Math.max(...symbols.map((symbol) => symbol.length));
    const lines = [];
    placeOf.forEach((place, cell) => {
      const row = (lines[Math.floor(place / columns)] ??= Array(columns).fill(' '.repeat(width)));
      row[place % columns] = symbols[cell].padStart(width);
    });
    return lines.map((line) => line.join(width > 1 ? ' ' : '').trimEnd()).join('\n');
  }

  async function copy(button, text) {
    let isCopied = true;
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      // Some browsers do not let a page from a file, or in a sandbox, use the clipboard in this way.
      const area = element('textarea', { 'aria-label': 'Text to copy' });
      area.value = text;
      document.body.append(area);
      area.select();
      isCopied = document.execCommand('copy');
      area.remove();
      button.focus();
    }
    button.textContent = isCopied ? 'Copied' : 'The browser does not allow copying';
  }

  function copyButton(name, what, textOf) {
    const button = element('button', { type: 'button', 'aria-label': name + ': ' + what }, name);
    button.addEventListener('click', () => copy(button, textOf()));
    return button;
  }

  /** Completes a puzzle that is opened for the first time. */
  function complete(puzzle) {
    if (puzzle.dataset.isComplete) return;
    puzzle.dataset.isComplete = 'yes';
    const figures = all('figure', puzzle);
    for (const figure of figures) if (figure.querySelector('svg') === null) draw(figure);
    for (const code of all('.text code', puzzle)) {
      const term = code.parentElement.previousElementSibling;
      const { textContent: text } = code;
      const buttons = element('span', { class: 'buttons' });
      buttons.append(copyButton('Copy as line', term.textContent, () => text));
      const shape = figures.length > 0 ? shapeOf(figures[0]) : undefined;
      if (shape !== undefined && symbolsIn(text, shape.placeOf.length).length === shape.placeOf.length) {
        buttons.append(copyButton('Copy as grid', term.textContent, () => gridText(text, shape)));
      }
      code.parentElement.append(buttons);
    }
  }
  const completeOpen = ({ target }) => {
    if (target.open && target.parentElement.classList.contains('puzzle')) complete(target.parentElement);
  };
  document.addEventListener('toggle', completeOpen, true);
  for (const target of all('.puzzle > details[open]')) completeOpen({ target });

  const tools = document.getElementById('tools');
  if (tools === null) return;
  const [find, sort, groups, found, note, more] = ['find', 'sort', 'groups', 'found', 'found-note', 'more'].map((id) =>
    document.getElementById(id),
  );
  const puzzles = all('.puzzle', groups).map((node) => ({ node, home: node.parentElement, ...node.dataset }));
  const filter = { status: '', grade: '' };
  let shown = SHOWN;

  /** Digits and blanks as they are compared. */
  const plain = (text) => text.replace(/[0_*?-]/g, '.').toLowerCase();
  const words = (puzzle) => (puzzle.words ??= textsOf(puzzle.node).map(plain));
  const idOf = (puzzle) => (puzzle.id ??= puzzle.node.querySelector('.id')?.textContent.toLowerCase() ?? '');

  /** How well a puzzle fits: 0 by its line, 1 by its id, 2 by its digits; undefined if it does not. */
  function rank(puzzle, query) {
    const line = /^(?:lines? )?(\d+)$/.exec(query)?.[1];
    if (line !== undefined && Number(puzzle.line) <= Number(line) && Number(line) <= Number(puzzle.end)) return 0;
    if (query === 'puzzle ' + puzzle.index) return 0;
    if (idOf(puzzle).includes(query)) return 1;
    const digits = plain(query.replace(/\s+/g, ''));
    const isFound = digits.length >= MIN_DIGITS && words(puzzle).some((text) => text.includes(digits) || text.includes(plain(query)));
    return isFound ? 2 : undefined;
  }

  function matches() {
    const query = find.value.trim().toLowerCase();
    const key = sort.value;
    const value = (puzzle) => (puzzle[key] === undefined || puzzle[key] === '' ? -1 : Number(puzzle[key]));
    return puzzles
      .filter(({ status, grade }) => [status, ''].includes(filter.status) && [grade, ''].includes(filter.grade))
      .map((puzzle) => ({ puzzle, rank: query === '' ? 0 : rank(puzzle, query) }))
      .filter((match) => match.rank !== undefined)
      .sort((a, b) => a.rank - b.rank || (key === '' ? 0 : value(b.puzzle) - value(a.puzzle)) || a.puzzle.index - b.puzzle.index)
      .map((match) => match.puzzle.node);
  }

  function update() {
    const isList = find.value.trim() !== '' || sort.value !== '' || filter.grade !== '';
    // In the order of the file, all of them: a list that has lost some would get them back at its end.
    if (found.childElementCount > 0) for (const { node, home } of puzzles) home.append(node);
    for (const group of all('.group', groups)) group.hidden = ![group.dataset.status, ''].includes(filter.status);
    const nodes = isList ? matches() : [];
    found.append(...nodes.slice(0, shown));
    groups.hidden = isList;
    more.hidden = nodes.length <= shown;
    const of = 'of the ' + puzzles.length.toLocaleString('en-US') + ' puzzles on this page';
    const first = nodes.length > shown ? ', the first ' + shown + ' are shown' : '';
    note.textContent = isList ? nodes.length.toLocaleString('en-US') + ' ' + of + first + '.' : '';
  }

  function restart() {
    shown = SHOWN;
    update();
  }

  for (const item of all('.filters li')) {
    const { filter: name, value } = item.dataset;
    const button = element('button', { type: 'button', 'aria-pressed': String(value === '') });
    button.append(...item.childNodes);
    item.append(button);
    button.addEventListener('click', () => {
      filter[name] = filter[name] === value ? '' : value;
      for (const other of all('.filters [data-filter="' + name + '"]')) {
        other.firstChild.setAttribute('aria-pressed', String(other.dataset.value === filter[name]));
      }
      restart();
    });
  }
  find.addEventListener('input', restart);
  sort.addEventListener('change', restart);
  tools.addEventListener('submit', (event) => event.preventDefault());
  more.addEventListener('click', () => {
    shown += SHOWN;
    update();
  });
  tools.hidden = false;
  // A server that names the job in the query of the report wants the same for the other files.
  for (const link of all('a.file')) link.search = location.search;
})();
`;

/** A test compares the hash. */
export const PAGE_SCRIPT: PageScript = {
  source: REPORT_SCRIPT,
  hash: 'dfQG9s1CgA47CHiiZ/Xpf/SUh1b8OFUfHCpDN9vcgLA=',
};
