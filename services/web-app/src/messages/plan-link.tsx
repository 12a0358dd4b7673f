import { dialogWords as words } from '../words/dialog-words.ts';

/** To what the plan allows and what of it is in use. */
export function PlanLink() {
  return (
    <a class="btn" href="/settings/plan">
      {words.yourPlan}
    </a>
  );
}
