import { activityWords as words } from '../words/activity-words.ts';

export function OldAndNew({ before, after }: { before: string; after: string }) {
  return (
    <>
      <del dir="auto">{before}</del>
      <span class="arrow" aria-hidden="true">
        {' → '}
      </span>
      <span class="vh"> {words.to} </span>
      <ins dir="auto">{after}</ins>
    </>
  );
}
