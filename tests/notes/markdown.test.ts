import test from 'ava';
import { renderNotes } from '#resource-api/notes/render-worker.ts';

const rel = 'rel="noopener noreferrer nofollow"';

/** [what is shown, the notes, their rendering] */
const features: readonly (readonly [string, string, string])[] = [
  [
    'emphasis',
    '*a* **b** ***c*** ~~d~~',
    '<p><em>a</em> <strong>b</strong> <strong><em>c</em></strong> <del>d</del></p>',
  ],
  ['an underscore in a word', 'snake_case_word and _so_', '<p>snake_case_word and <em>so</em></p>'],
  ['headings', '# A\n\n### B', '<h1>A</h1>\n<h3>B</h3>'],
  ['a tag that is no heading', '#errand today', '<p>#errand today</p>'],
  ['a typed line break', '*a*\nb\n\nc', '<p><em>a</em><br>\nb</p>\n<p>c</p>'],
  ['a list below a line', 'Buy:\n- milk\n- eggs', '<p>Buy:</p>\n<ul>\n<li>milk</li>\n<li>eggs</li>\n</ul>'],
  ['an ordered list', '3. c\n4. d', '<ol start="3">\n<li>c</li>\n<li>d</li>\n</ol>'],
  [
    'lists nested by two blanks',
    '- a\n  - b\n    - c\n- d',
    '<ul>\n<li>a<ul>\n<li>b<ul>\n<li>c</li></ul></li></ul></li>\n<li>d</li>\n</ul>',
  ],
  [
    'lists nested by four blanks',
    '- a\n    - b\n        - c\n- d',
    '<ul>\n<li>a<ul>\n<li>b<ul>\n<li>c</li></ul></li></ul></li>\n<li>d</li>\n</ul>',
  ],
  [
    'a task list',
    '- [ ] a\n- [x] b',
    '<ul>\n<li><input type="checkbox" disabled=""> a</li>\n<li><input type="checkbox" disabled="" checked=""> b</li>\n</ul>',
  ],
  [
    'a table with its alignment',
    '| a | b |\n|:--|--:|\n| 1 | `2` |',
    '<table>\n<thead>\n<tr>\n<th align="left">a</th>\n<th align="right">b</th>\n</tr>\n</thead>\n<tbody>\n' +
      '<tr>\n<td align="left">1</td>\n<td align="right"><code>2</code></td>\n</tr>\n</tbody>\n</table>',
  ],
  ['code', '`a < b && c`', '<p><code>a &lt; b &amp;&amp; c</code></p>'],
  [
    'a mark inside code',
    '``a ` b`` `*c*` `http://a.test`',
    '<p><code>a ` b</code> <code>*c*</code> <code>http://a.test</code></p>',
  ],
  ['a code block', '```js\nif (a < b) {}\n```', '<pre><code>if (a &lt; b) {}\n</code></pre>'],
  ['a quotation', '> *a*\n> b', '<blockquote>\n  <p><em>a</em><br>\n  b</p>\n</blockquote>'],
  [
    'quotations apart',
    '> a\n\n> b',
    '<blockquote>\n  <p>a</p>\n</blockquote>\n<blockquote>\n  <p>b</p>\n</blockquote>',
  ],
  ['a rule', '*a*\n\n---', '<p><em>a</em></p>\n<hr>'],
  ['a link', '[a](https://a.test/x_y "t")', `<p><a href="https://a.test/x_y" title="t" ${rel}>a</a></p>`],
  ['a link by name', '[a][r]\n\n[r]: https://a.test', `<p><a href="https://a.test" ${rel}>a</a></p>`],
  [
    'an address',
    'see https://a.test/b.',
    `<p>see <a href="https://a.test/b" ${rel}>https://a.test/b</a>.</p>`,
  ],
  [
    'an address up to the marks of the sentence around it',
    '(https://a.test/b), *or https://a.test/c*: www.a.test/d_e?!',
    `<p>(<a href="https://a.test/b" ${rel}>https://a.test/b</a>), ` +
      `<em>or <a href="https://a.test/c" ${rel}>https://a.test/c</a></em>: ` +
      `<a href="http://www.a.test/d_e" ${rel}>www.a.test/d_e</a>?!</p>`,
  ],
  [
    'an address with the brackets in it',
    '(https://a.test/b_(c)) https://a.test/?d=[1]',
    `<p>(<a href="https://a.test/b_(c)" ${rel}>https://a.test/b_(c)</a>) ` +
      `<a href="https://a.test/?d=[1]" ${rel}>https://a.test/?d=[1]</a></p>`,
  ],
  [
    'three dots in addresses and in text',
    'https://a.test/v1...v2 [a](https://a.test/v1...v2) <https://a.test/v1...v2> `git diff a...b` *c*...',
    `<p><a href="https://a.test/v1...v2" ${rel}>https://a.test/v1...v2</a> ` +
      `<a href="https://a.test/v1...v2" ${rel}>a</a> ` +
      `<a href="https://a.test/v1...v2" ${rel}>https://a.test/v1...v2</a> <code>git diff a...b</code> <em>c</em>...</p>`,
  ],
  ['a mail address', 'to me@a.test', `<p>to <a href="mailto:me@a.test" ${rel}>me@a.test</a></p>`],
  ['escaped marks', '\\*a\\* \\<b>', '<p>*a* &lt;b&gt;</p>'],
  ['angles that are no tags', '1 < 2 & 3 > 2', '<p>1 &lt; 2 &amp; 3 &gt; 2</p>'],
  ['signs the converter uses itself', '*¨D* ¨K0K ¨C0C $1 $&', '<p><em>¨D</em> ¨K0K ¨C0C $1 $&amp;</p>'],
];

for (const [feature, markdown, html] of features) {
  test(`notes show ${feature}`, (t) => {
    t.is(renderNotes({ id: 0, markdown }), html);
  });
}

test('blank notes have an empty rendering', (t) => {
  t.is(renderNotes({ id: 0, markdown: '\n \n' }), '');
});

test('the same notes are always rendered alike', (t) => {
  const notes = { id: 0, markdown: 'me@a.test <me@b.test> *a* [b](mailto:c@d.test)' };
  t.is(renderNotes(notes), renderNotes(notes));
});
