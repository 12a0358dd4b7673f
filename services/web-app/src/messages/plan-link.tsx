import { dialogWords as words } from '../words/dialog-words.ts';

/** A link to the plan's limits and their usage. */
export function PlanLink() {
  return (
    <a class="btn" href="/settings/plan">
      {words.yourPlan}
    </a>
  );
}
