import type { ComponentChildren } from 'preact';
import type { Piece } from './piece.ts';

type TintedTextProps = {
  lines: readonly { text: string; pieces: readonly Piece[] }[];
  allowsDeadlines: boolean;
};

/** The layer behind the field's transparent text: the same text with its pieces tinted. */
export function TintedText({ lines, allowsDeadlines }: TintedTextProps) {
  return (
    <div class="mirror" aria-hidden="true" dir="auto">
      {lines.map(({ text, pieces }, index) => (
        <span key={index}>
          {tinted(text, pieces, allowsDeadlines)}
          {index < lines.length - 1 ? '\n' : '\u200B'}
        </span>
      ))}
    </div>
  );
}

function tinted(text: string, pieces: readonly Piece[], allowsDeadlines: boolean): ComponentChildren[] {
  const parts: ComponentChildren[] = [];
  let shown = 0;
  for (const piece of pieces) {
    parts.push(text.slice(shown, piece.start));
    parts.push(<span class={tint(piece, allowsDeadlines)}>{text.slice(piece.start, piece.end)}</span>);
    shown = piece.end;
  }
  return [...parts, text.slice(shown)];
}

function tint({ kind }: Piece, allowsDeadlines: boolean): string {
  if (kind !== 'deadline') return 'tok';
  return allowsDeadlines ? 'tok late' : 'tok care';
}
