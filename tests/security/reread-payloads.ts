/** What became of markup when it was written out and read once more, in sanitisers of the past (mXSS). */
const image = '<img src=x onerror=pwned()>';
const nested = (open: string, depth: number) => open.repeat(depth);
export const rereadPayloads: readonly string[] = [
  ...[255, 256, 511, 512, 513].flatMap((depth) => [
    `${nested('<div>', depth)}<svg><style><a title="</style>${image}">`,
    `${nested('<r>', depth)}<form><math><mtext></form><form><mglyph><svg><mtext><style><path id="</style>${image}">`,
    `${nested('<b>', depth)}<table>${nested('<tr><td>', 3)}<caption><svg><title><template><style>${image}`,
  ]),
  `<form id="x"><div></form><form><svg><title><a id="</title>${image}">`,
  `<svg><annotation-xml><foreignobject><style><!--</style><p id="--><!--</annotation-xml>${image}">`,
  `<math><annotation-xml encoding="application/xhtml+xml"><svg><foreignObject><style><a title="</style>${image}">`,
  `<svg><title><style><a id="</style>${image}"></style></title></svg>`,
  `<svg></svg><![CDATA[><a title="]]>${image}">`,
  `<table><svg><style><a title="</style>${image}"></table>`,
  `<select><svg><style><a title="</style>${image}"></select>`,
  `<template><s><template><s>${image}</s></template></s></template>`,
  `<div><template shadowrootmode=closed><style>*{x:'</style>${image}'}</template></div>`,
  `<noscript><p id="</noscript>${image}"></p></noscript>`,
  `<textarea><p id="</textarea>${image}"></p></textarea>`,
  `<a href="https://a.test/&#x22;&#x20;onclick=&#x22;pwned()">x</a>`,
  `<b title="&lt;/b&gt;${image}">x</b>`,
  `<p title="\u2028</p>${image}">x</p>`,
  `<p>&amp;lt;img src=x onerror=pwned()&amp;gt;</p>`,
  '${`<img src=x onerror=pwned()>`}',
  '{{constructor.constructor("pwned()")()}} <%= pwned() %> #{pwned()} ${pwned()}',
  `<x is="y" onclick=pwned()>z</x><x-y onclick=pwned()>z</x-y>`,
  `<a id=x><a id=x name=y href="tel:pwned()">z</a>`,
  `<form><input name=ownerDocument><input name=nodeType><input name=attributes></form>`,
];
