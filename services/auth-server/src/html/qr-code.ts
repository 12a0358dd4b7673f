import { encode } from 'uqr';
import { type Html, html } from './html.ts';

/** Dark on light in both colour schemes: cameras expect that. */
export function qrCode(text: string, label: string): Html {
  const { data, size } = encode(text, { border: 4 });
  const squares = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
  );
  return html`<svg class="qr" viewBox="0 0 ${size} ${size}" role="img" aria-label="${label}" shape-rendering="crispEdges">
<path class="light" d="M0 0h${size}v${size}h-${size}z"></path>
<path d="${squares.join('')}"></path>
</svg>`;
}
