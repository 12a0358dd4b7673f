import test from 'ava';
import { renderNotes } from '#resource-api/notes/render-worker.ts';

const rel = 'rel="noopener noreferrer nofollow"';

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
    '[a](https:/b) [c](https:d) [e](http:/f) <a href="https:/&nbsp;/g">h</a> <a href="https:\\\\i.test">j</a>',
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
