import type { ComponentChildren } from 'preact';
import { Icon } from '../components/icon.tsx';

export function PageHead({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="head">
      <h1 tabIndex={-1}>{title}</h1>
      {children !== undefined && <span class="sub">{children}</span>}
    </div>
  );
}

type GroupHeadingProps = {
  title: ComponentChildren;
  count?: number;
  isLate?: boolean;
  href?: string;
  children?: ComponentChildren;
};

export function GroupHeading({ title, count, isLate = false, href, children }: GroupHeadingProps) {
  return (
    <div class={`group-h${isLate ? ' is-late' : ''}`}>
      <h2 dir="auto">{href === undefined ? title : <a href={href}>{title}</a>}</h2>
      {count !== undefined && <span class="n">{count}</span>}
      {children !== undefined && <span class="acts">{children}</span>}
    </div>
  );
}

/** Opens and closes what is below it. */
export function MoreButton(props: { label: string; count?: number; isOpen?: boolean; onPress: () => void }) {
  return (
    <button type="button" class="more" aria-expanded={props.isOpen} onClick={props.onPress}>
      <Icon name="chev" small />
      {props.label}
      {props.count !== undefined && <span class="n">{props.count}</span>}
    </button>
  );
}
