import { readFileSync } from 'node:fs';
import path from 'node:path';
import test from 'ava';

const styles = path.join(import.meta.dirname, '../../services/web-app/src/styles/tokens.css');
/** Light and dark, by name. */
const colours = new Map(
  [...readFileSync(styles, 'utf8').matchAll(/--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)/g)].map(
    ([, name = '', ...pair]) => [name, pair],
  ),
);

/** WCAG 2.2, relative luminance. */
function luminance(colour: string): number {
  const channels = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255);
  const [red = 0, green = 0, blue = 0] = channels.map((each) =>
    each <= 0.04045 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

test('boxes, rings and the focus stand out from every ground that rows and lists have', (t) => {
  const weak = ['edge', 'accent'].flatMap((sign) =>
    ['ground', 'surface', 'side', 'hover', 'accent-soft'].flatMap((ground) =>
      [0, 1].flatMap((scheme) => {
        const [one, other] = [sign, ground].map((name) => colours.get(name)?.[scheme] ?? '');
        const found = contrast(one ?? '', other ?? '');
        return found >= 3 ? [] : [`${sign} on ${ground}, ${scheme === 0 ? 'light' : 'dark'}: ${found}`];
      }),
    ),
  );
  t.deepEqual(weak, []);
});
