import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from '../components/icon.tsx';

type StripProps = {
  icon: IconName;
  kind: 'plain' | 'care';
  acts?: ComponentChildren;
  children: ComponentChildren;
};

export function Strip({ icon, kind, acts, children }: StripProps) {
  return (
    <div class={`strip ${kind}`}>
      <Icon name={icon} />
      <div class="grow">{children}</div>
      {acts !== undefined && <div class="acts">{acts}</div>}
    </div>
  );
}
