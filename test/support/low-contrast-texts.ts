/** Runs in a page: texts with too little contrast to their background, by the rule of WCAG (4.5 to 1). */
export const LOW_CONTRAST_TEXTS = `(() => {
  const light = (c) => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  const luminance = (css) => {
    const [r, g, b] = css.match(/[\\d.]+/g).map(Number);
    return 0.2126 * light(r) + 0.7152 * light(g) + 0.0722 * light(b);
  };
  const background = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const { backgroundColor } = getComputedStyle(at);
      if (backgroundColor !== 'rgba(0, 0, 0, 0)') return backgroundColor;
    }
    return 'rgb(255, 255, 255)';
  };
  const found = [];
  for (const element of document.querySelectorAll('body *')) {
    if (!element.checkVisibility() || element.children.length > 0 || element.textContent.trim() === '') continue;
    const inDrawing = element instanceof SVGElement;
    const style = getComputedStyle(element);
    const front = luminance(inDrawing ? style.fill : style.color);
    const back = luminance(background(inDrawing ? element.closest('svg').parentElement : element));
    const contrast = (Math.max(front, back) + 0.05) / (Math.min(front, back) + 0.05);
    if (contrast < 4.5) found.push(element.textContent + ': ' + contrast.toFixed(2));
  }
  return found;
})()`;
