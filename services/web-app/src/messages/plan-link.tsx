import { dialogWords as words } from '../words/dialog-words.ts';

export function PlanLink() {
  return (
    <a class="btn" href="/settings/plan">
      {words.yourPlan}
    </a>
  );
}
