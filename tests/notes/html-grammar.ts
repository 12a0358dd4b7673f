import fc from 'fast-check';

const names =
  'a p em strong del code pre ul ol li h1 h2 blockquote table thead tbody tr td th b div form select root text constructor'.split(
    ' ',
  );
/** Start tags as the converter writes them, and ones that only look like it. */
const startTags = [
  ...['br', 'br /', 'hr /', 'hr', 'input', 'input /', 'img src="a"', 'p /', 'p class="a"', 'ol start="3"'],
  ...['a href="https://a.test/?a=1&b=2&lt=3&amp;c"', 'a href="mailto:a@b.test"', 'a href="//a.test"'],
  ...[
    'a href="https://"',
    'a href="HTTP://a.test"',
    'a href="javascript:a"',
    'a href="https://a.test/&copy;"',
  ],
  ...['code class="js language-js"', 'code class="" onclick="a"', 'td style="text-align:left;"'],
  ...['th style="text-align:center;"', 'td style="text-align:left"', 'td align="left"'],
  'li class="task-list-item" style="list-style-type: none;"',
  'input type="checkbox" disabled style="margin: 0px 0.35em 0.25em -1.6em; vertical-align: middle;" checked',
  'input type="checkbox" disabled style="margin: 0px 0.35em 0.25em -1.6em; vertical-align: middle;"',
  ...names,
];
const text = fc.constantFrom(
  ...[
    'a',
    ' ',
    '\n',
    '\t',
    '\r',
    '\0',
    '\f',
    '\u0085',
    '\u00a0',
    '\ufeff',
    '\u2028',
    '\ud800',
    '😀',
    '"',
    "'",
    '`',
  ],
  ...[
    '&',
    '&amp;',
    '&lt;',
    '&gt;',
    '&nbsp;',
    '&copy;',
    '&amp',
    '&#60;',
    '<',
    '>',
    '<!--',
    '-->',
    '<?',
    ']]>',
  ],
);
const harmlessText = fc.constantFrom('a', ' ', '\n', 'b &amp; c', '"d"');

/** Tags and characters in any order. */
export const htmlSoup: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      fc.constantFrom(...startTags).map((tag) => `<${tag}>`),
      fc.constantFrom(...names).map((name) => `</${name}>`),
      harmlessText,
      text,
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(''));

/** Elements that all have an end, in each other as no parser may leave them. */
export const htmlTrees: fc.Arbitrary<string> = fc.letrec<{ node: string }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 6 },
    { weight: 4, arbitrary: harmlessText },
    { weight: 1, arbitrary: text },
    {
      weight: 8,
      arbitrary: fc
        .tuple(fc.constantFrom(...startTags), fc.array(tie('node'), { maxLength: 4 }))
        .map(([tag, inner]) => element(tag, inner.join(''))),
    },
  ),
})).node;

function element(startTag: string, inner: string): string {
  const [name = ''] = startTag.split(' ', 1);
  return /^(?:br|hr|img|input)$/.test(name) ? `<${startTag}>` : `<${startTag}>${inner}</${name}>`;
}
