import { setImmediate } from 'node:timers/promises';
import test from 'ava';
import fc from 'fast-check';
import { conversionWork } from '#resource-api/notes/conversion-work.ts';
import { markdownToHtml } from '#resource-api/notes/markdown-to-html.ts';
import { sanitiseHtmlToFixedPoint } from '#resource-api/notes/sanitise-html.ts';
import { simpleHtml } from '#resource-api/notes/simple-html.ts';
import { htmlSoup, htmlTrees } from './html-grammar.ts';
import { markdownNotes, rawHtmlNotes } from './notes-grammar.ts';

type Source = { what: string; html: fc.Arbitrary<string>; atLeast: number };

const sources: readonly Source[] = [
  {
    what: 'the conversion of Markdown',
    html: markdownNotes.filter((notes) => conversionWork(notes) < 1e7).map(markdownToHtml),
    atLeast: 1_000,
  },
  { what: 'the conversion of raw HTML', html: rawHtmlNotes.map(markdownToHtml), atLeast: 30 },
  { what: 'elements in each other', html: htmlTrees, atLeast: 500 },
  { what: 'tags and characters in any order', html: htmlSoup, atLeast: 10 },
];

for (const { what, html, atLeast } of sources) {
  test(`of ${what}, what is taken for simple is what the sanitiser makes of it`, async (t) => {
    let simple = 0;
    const agree = async (written: string): Promise<boolean> => {
      const settled = simpleHtml(written);
      if (settled === undefined || settled === '') return true;
      simple += 1;
      // jsdom frees nothing within a turn of the event loop.
      await setImmediate();
      return settled === (await sanitiseHtmlToFixedPoint(written));
    };
    await t.notThrowsAsync(fc.assert(fc.asyncProperty(html, agree), { seed: 63, numRuns: 2_000 }));
    t.true(simple >= atLeast, `${simple} of the samples were simple`);
  });
}

const link = '<a href="https://a.test/?b=1&amp;c=2" rel="noopener noreferrer nofollow">';
for (const [notes, html] of [
  [
    '# Plan\n\nSome **bold**, _soft_ and ~~old~~ words',
    '<h1>Plan</h1>\n<p>Some <strong>bold</strong>, <em>soft</em> and <del>old</del> words</p>',
  ],
  ['See https://a.test/?b=1&c=2', `<p>See ${link}https://a.test/?b=1&amp;c=2</a></p>`],
  [
    '- [ ] a\n- [x] b',
    '<ul>\n<li><input type="checkbox" disabled=""> a</li>\n<li><input type="checkbox" disabled="" checked=""> b</li>\n</ul>',
  ],
  ['3. c\n4. d', '<ol start="3">\n<li>c</li>\n<li>d</li>\n</ol>'],
  ['```js\na < b\n```', '<pre><code>a &lt; b\n</code></pre>'],
  [
    '| a | b |\n|:---:|---|\n| 1 | 2 |',
    '<table>\n<thead>\n<tr>\n<th align="center">a</th>\n<th>b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td align="center">1</td>\n<td>2</td>\n</tr>\n</tbody>\n</table>',
  ],
  ['> a\n\n---', '<blockquote>\n  <p>a</p>\n</blockquote>\n<hr>'],
] as const) {
  test(`the HTML of ${JSON.stringify(notes)} is simple`, async (t) => {
    const written = markdownToHtml(notes);
    t.is(simpleHtml(written), html);
    t.is(await sanitiseHtmlToFixedPoint(written), html);
  });
}

for (const html of [
  '<p onclick="a()">b</p>',
  '<script>a()</script>',
  '<a href="javascript:a()">b</a>',
  '<a href="https://a.test" target="_blank">b</a>',
  '<a href="https://a.test">b<em><a href="https://c.test">d</a></em></a>',
  '<a href="https://">b</a>',
  '<a href="https://a.test/&quot;">b</a>',
  '<img src="https://a.test/b.png" alt="b" />',
  '<input>',
  '<p>a<p>b</p></p>',
  '<p><ul><li>a</li></ul></p>',
  '<table><tr><td>a</td></tr></table>',
  '<table>a</table>',
  '<em>a<strong>b</em></strong>',
  '<p>a',
  'a</p>',
  'a < b',
  'a > b',
  'a & b',
  '&copy;',
  '&#60;',
  'a\u00a0b',
  'a\0b',
  'a\rb',
  '\ud800',
  ' a',
  '<pre>\na</pre>',
  '<constructor>a</constructor>',
  '<#root>a</#root>',
  'a</#root>',
  'a</>',
  '<!-- a -->',
  '<p>a</p >',
  '<P>a</P>',
]) {
  test(`${JSON.stringify(html)} is not simple`, (t) => {
    t.is(simpleHtml(html), undefined);
  });
}
