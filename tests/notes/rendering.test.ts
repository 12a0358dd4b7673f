import test from 'ava';
import { pendingVersion } from '#resource-api/notes/notes-renderer.ts';
import { renderNotes } from '#resource-api/notes/render-worker.ts';
import type { AppChanges } from '#shared/app/app-protocol.ts';
import { holdAccount } from '#tests/api/idempotency/hold-account.ts';
import { openStream } from '#tests/app/event-stream.ts';
import { createWebApps } from '#tests/app/web-app-client.ts';
import type { Project, Task } from '#tests/support/api-types.ts';
import { makeProject, makeTask } from '#tests/support/factories.ts';
import { startStack } from '#tests/support/stack.ts';
import { waitFor } from '#tests/support/wait-for.ts';

const stack = await startStack(test);

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
    '<ul>\n<li><input type="checkbox" disabled=""> a</li>\n' +
      '<li><input type="checkbox" disabled="" checked=""> b</li>\n</ul>',
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
      `<a href="https://a.test/v1...v2" ${rel}>https://a.test/v1...v2</a> ` +
      '<code>git diff a...b</code> <em>c</em>...</p>',
  ],
  [
    'mail addresses',
    'to me@a.test <me@b.test>',
    `<p>to <a href="mailto:me@a.test" ${rel}>me@a.test</a> ` +
      `<a href="mailto:me@b.test" ${rel}>me@b.test</a></p>`,
  ],
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

/** [what happens, the notes, their rendering] */
const cases: readonly (readonly [string, string, string])[] = [
  [
    'harmless raw HTML is kept',
    '<u>a</u> <kbd>b</kbd> x<sup>2</sup>',
    '<p><u>a</u> <kbd>b</kbd> x<sup>2</sup></p>',
  ],
  [
    'attributes for style, script and naming are dropped',
    '<b style="color:red" class=c id=i name=n onclick=x() data-a=1 aria-label=l tabindex=1>a</b>',
    '<p><b>a</b></p>',
  ],
  [
    'what an unknown element holds is kept',
    '<mark>a</mark> <blink>b <i>c</i></blink>',
    '<p><mark>a</mark> b <i>c</i></p>',
  ],
  [
    'script, style and foreign markup go with what they hold',
    'a<script>b</script><style>c</style><svg>d</svg>',
    '<p>a</p>',
  ],
  [
    'an image becomes a link',
    '![a](https://a.test/i.png "t")',
    `<p><a href="https://a.test/i.png" ${rel}>a</a></p>`,
  ],
  [
    'an image without a text is named by its address',
    '<img src="https://a.test/i">',
    `<p><a href="https://a.test/i" ${rel}>https://a.test/i</a></p>`,
  ],
  [
    'an image in a link becomes its text',
    '[![a](https://a.test/i)](https://b.test)',
    `<p><a href="https://b.test" ${rel}>a</a></p>`,
  ],
  [
    'an image from a place no link may name leaves its text',
    '![a](data:image/png;base64,AA==)',
    '<p><a>a</a></p>',
  ],
  [
    'a link elsewhere than to the web or a mail address leads nowhere',
    '[a](javascript:b) [c](/d) [e](ftp://f.test)',
    '<p><a>a</a> <a>c</a> <a>e</a></p>',
  ],
  ['a link to no address at all leads nowhere', '[a](http://b<c) [d](https://)', '<p><a>a</a> <a>d</a></p>'],
  [
    'a link that a browser would take for a path of the page leads nowhere',
    '[a](https:/b) [c](https:d) [e](http:/f) ' +
      '<a href="https:/&nbsp;/g">h</a> <a href="https:\\\\i.test">j</a>',
    '<p><a>a</a> <a>c</a> <a>e</a> <a>h</a> <a>j</a></p>',
  ],
  [
    'a link opens where the reader wants it',
    '<a href="https://a.test" target=_blank rel=opener>a</a>',
    `<p><a href="https://a.test" ${rel}>a</a></p>`,
  ],
  [
    'no field but a checkbox is kept, and that one cannot be used',
    '<input> <input type=checkbox checked>',
    '<p> <input type="checkbox" checked="" disabled=""></p>',
  ],
  [
    'no style aligns a cell but the three a table can ask for',
    '<table><tr><td style="text-align:left;color:red">a</td></tr></table>',
    '<table><tbody><tr><td>a</td></tr></tbody></table>',
  ],
  ['a comment is dropped', 'a<!-- b -->', '<p>a</p>'],
];

for (const [title, markdown, html] of cases) {
  test(title, (t) => {
    t.is(renderNotes({ id: 0, markdown }), html);
  });
}

const description = 'Some *soil*';
const soon = { timeoutMilliseconds: 20_000 };
const html = '<p>Some <em>soil</em></p>';

test('notes stored as plain text are rendered soon, and API clients and open apps get them', async (t) => {
  const api = await (await createWebApps(stack)).open();
  const token = await stack.createToken(api.account, { name: 'Script' });
  const task = await makeTask(stack.client(token), { description });
  const project = await makeProject(api, { description });
  const { sql } = stack;
  const stream = await openStream(stack, api.accessToken);
  await sql`update tasks.task set description_html = 'plain', renderer_version = ${pendingVersion}
    where id = ${task.id}`;
  await sql`update tasks.project set description_html = 'plain', renderer_version = ${pendingVersion}
    where id = ${project.id}`;

  const changed = await waitFor(async () => {
    const { body } = await api.get<{ items: Task[] }>(`/tasks?updatedSince=${project.updatedAt}`);
    return body.items[0];
  }, soon);
  t.deepEqual({ ...changed, updatedAt: task.updatedAt }, task);
  const { body } = await waitFor(async () => {
    const read = await api.get<Project>(`/projects/${project.id}`);
    return read.body.descriptionHtml === html ? read : undefined;
  }, soon);
  t.true(body.updatedAt > project.updatedAt);
  await waitFor(() => stream.events.at(-1)?.seq === 4, { what: 'the event of both renderings' });
  stream.close();

  const changes = await api.app.get<AppChanges>('/changes?after=0');
  if (changes.body.reset) return t.fail();
  const writer = changes.body.actors.find(({ id }) => id === task.id);
  t.like(writer, { at: task.updatedAt, actor: { kind: 'token', name: 'Script' } });
});

test('an account whose writes wait does not delay the rendering of other accounts’ notes', async (t) => {
  const [held, other] = [await stack.newClient(), await stack.newClient()];
  const task = await makeTask(held, { description });
  const project = await makeProject(other, { description });
  const account = await holdAccount(t, stack, held);
  await stack.sql`update tasks.project set description_html = 'plain', renderer_version = ${pendingVersion}
    where id = ${project.id}`;
  await stack.sql`update tasks.task set renderer_version = ${pendingVersion} where id = ${task.id}`;
  await waitFor(
    async () => (await other.get<Project>(`/projects/${project.id}`)).body.descriptionHtml === html,
    { ...soon, what: 'the notes of the project' },
  );
  await t.notThrowsAsync(account.release(), 'meanwhile, the account was held');
});
