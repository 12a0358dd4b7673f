import { useStore } from '../store/store-context.ts';

const radius = 4.6;

export function ProgressRing({ id, isClosed }: { id: string; isClosed?: boolean }) {
  const { open, closed } = useStore().views.progress(id).value;
  return <ProjectRing share={isClosed ? 1 : closed / Math.max(1, open + closed)} />;
}

/** The share of closed tasks, as a slice from twelve o'clock. */
export function ProjectRing({ share }: { share: number }) {
  return (
    <svg class="ring" viewBox="0 0 18 18" aria-hidden="true">
      <circle cx="9" cy="9" r="7.2" />
      {share >= 1 ? <circle class="full" cx="9" cy="9" r={radius} /> : share > 0 && <path d={slice(share)} />}
    </svg>
  );
}

function slice(share: number): string {
  const angle = share * 2 * Math.PI;
  const x = (9 + radius * Math.sin(angle)).toFixed(2);
  const y = (9 - radius * Math.cos(angle)).toFixed(2);
  return `M9 9V${9 - radius}A${radius} ${radius} 0 ${share > 0.5 ? 1 : 0} 1 ${x} ${y}z`;
}
