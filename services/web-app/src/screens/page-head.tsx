import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Icon } from '../components/icon.tsx';
import type { ListGroup, RowRef } from '../list/list-group.ts';

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

export function GroupHeading({ title, count, isLate, href, children }: GroupHeadingProps) {
  return (
    <div class={`group-h${isLate ? ' is-late' : ''}`}>
      <h2 dir="auto">{href === undefined ? title : <a href={href}>{title}</a>}</h2>
      {count !== undefined && <span class="n">{count}</span>}
      {children !== undefined && <span class="acts">{children}</span>}
    </div>
  );
}

export function MoreButton(props: { label: string; count?: number; isOpen?: boolean; onPress: () => void }) {
  return (
    <button type="button" class="more" aria-expanded={props.isOpen} onClick={props.onPress}>
      <Icon name="chev" small />
      {props.label}
      {props.count !== undefined && <span class="n">{props.count}</span>}
    </button>
  );
}

/** A collapsed group; none if it is empty. */
export function useFoldedGroup(title: string, rows: readonly RowRef[], count = rows.length) {
  const [isOpen, setOpen] = useState(false);
  const toggle = () => setOpen(!isOpen);
  const element = <MoreButton label={title} count={count} isOpen={isOpen} onPress={toggle} />;
  const group: ListGroup = {
    key: title,
    title,
    heading: { kind: 'more', element },
    rows: isOpen ? rows : [],
  };
  return { isOpen, groups: count === 0 ? [] : [group] };
}
