// Runs in the page: texts whose contrast with what is behind them is below 4.5:1 (WCAG 2.2 §1.4.3), each with its place.

function parse(css) {
  const [red = 0, green = 0, blue = 0, alpha = 1] = (css.match(/[\d.]+/g) ?? []).map(Number);
  return { red, green, blue, alpha };
}

function over(front, back) {
  const mix = (a, b) => a * front.alpha + b * (1 - front.alpha);
  return {
    red: mix(front.red, back.red),
    green: mix(front.green, back.green),
    blue: mix(front.blue, back.blue),
    alpha: 1,
  };
}

function luminance({ red, green, blue }) {
  const linear = (part) => (part <= 10.3 ? part / 3294.6 : ((part / 255 + 0.055) / 1.055) ** 2.4);
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

function ancestors(element) {
  return element.parentElement ? [element, ...ancestors(element.parentElement)] : [element];
}

function contrast(element) {
  const line = ancestors(element);
  const white = { red: 255, green: 255, blue: 255, alpha: 1 };
  const back = line
    .map((ancestor) => parse(getComputedStyle(ancestor).backgroundColor))
    .reduceRight((behind, layer) => over(layer, behind), white);
  const opacity = line.reduce((product, ancestor) => product * Number(getComputedStyle(ancestor).opacity), 1);
  const colour = parse(getComputedStyle(element).color);
  const front = over({ ...colour, alpha: colour.alpha * opacity }, back);
  const [light = 0, dark = 0] = [luminance(front), luminance(back)].sort((left, right) => right - left);
  return (light + 0.05) / (dark + 0.05);
}

function faintTexts() {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const faint = new Set();
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const [element, text] = [node.parentElement, node.textContent?.trim()];
    if (!element || !text || !element.checkVisibility() || element.closest('script, noscript')) continue;
    const ratio = contrast(element);
    if (ratio < 4.5)
      faint.add(`${element.tagName}.${element.className} ${ratio.toFixed(2)}: ${text.slice(0, 40)}`);
  }
  return [...faint];
}

faintTexts();
