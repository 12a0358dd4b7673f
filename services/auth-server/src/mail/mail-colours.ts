import { readFileSync } from 'node:fs';

const names = ['side', 'surface', 'text', 'muted', 'line', 'accent', 'accent-fill', 'on-accent'] as const;

type Colours = Readonly<Record<(typeof names)[number], string>>;

const tokens = readFileSync(new URL('../../../web-app/src/styles/tokens.css', import.meta.url), 'utf8');

const colours = new Map(
  [...tokens.matchAll(/--([\w-]+): (?:light-dark\()?(#\w+)(?:, (#\w+)\))?;/g)].map(
    ([, name, light = '', dark = light]) => [name, { light, dark }],
  ),
);

/** The app's, by value: mail programs know neither custom properties nor `light-dark()`. */
export const lightColours = readColours('light');
export const darkColours = readColours('dark');

function readColours(scheme: 'light' | 'dark'): Colours {
  const colourOf = (name: string): string => {
    const colour = colours.get(name);
    if (colour === undefined) throw new Error(`tokens.css has no colour --${name}`);
    return colour[scheme];
  };
  return Object.fromEntries(names.map((name) => [name, colourOf(name)])) as Colours;
}
