type RecordLinkProps = { id: string; title: string; onOpen: () => void };

/** Opens the task beside the present screen. A link is opened by ↵ alone: Space is for the box, as in lists. */
export function RecordLink({ id, title, onOpen }: RecordLinkProps) {
  return (
    <a class="t cut" dir="auto" href={`?task=${id}`} onClick={onOpen}>
      {title}
    </a>
  );
}
