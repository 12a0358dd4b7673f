import { activityWords as words } from '../words/activity-words.ts';
import { OldAndNew } from './old-and-new.tsx';

const shownLength = 80;
/** The common part before the first difference. */
const leadLength = 20;

type Notes = string | null;

/** Old and new notes from their first difference; in full on request, as far as known. */
export function ChangedNotes({ before, after }: { before: Notes; after: Notes }) {
  const [old = '', now = ''] = [before ?? '', after ?? ''];
  const start = Math.max(0, firstDifference(old, now) - leadLength);
  if (old === now) return <>{words.hidden}</>;
  return (
    <>
      <OldAndNew before={excerpt(old, start)} after={excerpt(now, start)} />
      {Math.max(old.length, now.length) > shownLength && (
        <details>
          <summary>{words.moreOfNotes}</summary>
          <h4>{words.before}</h4>
          <pre dir="auto">{old || words.none}</pre>
          <h4>{words.after}</h4>
          <pre dir="auto">{now || words.none}</pre>
        </details>
      )}
    </>
  );
}

function firstDifference(one: string, other: string): number {
  let place = 0;
  while (place < one.length && one[place] === other[place]) place += 1;
  return place;
}

/** Without the half of a character at either end. */
function excerpt(text: string, start: number): string {
  if (text === '') return words.none;
  const line = text
    .slice(start, start + shownLength)
    .replaceAll(/\p{Surrogate}/gu, '')
    .replaceAll(/\s+/gu, ' ');
  return `${start > 0 ? '…' : ''}${line}${start + shownLength < text.length ? '…' : ''}`;
}
