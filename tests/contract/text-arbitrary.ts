import fc from 'fast-check';

/** Unusual and legal: what text means to Unicode, Markdown, HTML, SQL, URLs and terminals. */
const pieces = [
  ...[
    'a',
    'Z',
    '0',
    ' ',
    '.',
    '-',
    '_',
    '*',
    '`',
    '#',
    '[x](http://a.example)',
    '<b>',
    '&amp;',
    '|',
    '\\',
    '"',
  ],
  ...[
    "'",
    '%00',
    '%',
    '$1',
    '{{',
    '\n',
    '\r\n',
    '\t',
    '\u0001',
    '\u007f',
    '\u0085',
    '\u00a0',
    '\u200b',
    '\u200d',
  ],
  ...[
    '\u2028',
    '\u202e',
    '\ufeff',
    '\ufffd',
    '\uffff',
    '\ufdd0',
    'é',
    'e\u0301',
    '\u0300',
    'ß',
    'İ',
    'ﷺ',
    '日本',
  ],
  ...['👨‍👩‍👧', '𝒳', '\u{1f600}', '\u{10ffff}', 'null', 'undefined', '__proto__', '-- ', 'ı', '\u0e33'],
];
/** One code point each, of one to four bytes; often the kind that is two code units, where counting goes wrong. */
const fillers = ['x', 'é', '日', '\u{1f600}', '\u{10ffff}', '\u0301'];

/** Longer texts cost too much to be sent often. */
const cheapLength = 2_000;
const usualPieces = 12;

type TextLengths = {
  minimumLength?: number;
  maximumLength?: number;
};

/** Text without U+0000 and lone surrogates, often at the bounds of its length. Lengths count code points. */
export function texts({ minimumLength = 0, maximumLength = 300 }: TextLengths): fc.Arbitrary<string> {
  const short = fc
    .array(fc.constantFrom(...pieces), { minLength: minimumLength, maxLength: usualPieces })
    .map((chosen) => [...chosen.join('')].slice(0, maximumLength).join(''));
  const ofLength = (length: number) => fc.constantFrom(...fillers).map((filler) => filler.repeat(length));
  const isCheap = maximumLength <= cheapLength;
  return fc.oneof(
    { arbitrary: short, weight: 16 },
    {
      arbitrary: fc.constantFrom(...pieces).map((piece) => [...piece].slice(0, maximumLength).join('')),
      weight: 8,
    },
    { arbitrary: ofLength(minimumLength), weight: 2 },
    { arbitrary: ofLength(maximumLength), weight: isCheap ? 6 : 1 },
    { arbitrary: ofLength(Math.max(minimumLength, maximumLength - 1)), weight: isCheap ? 1 : 0 },
  );
}
