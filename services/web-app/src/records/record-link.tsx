type RecordLinkProps = { id: string; title: string; onOpen: () => void };

/** Opens the task next to the screen. Only Enter opens it: Space is for the check box, as in lists. */
export function RecordLink({ id, title, onOpen }: RecordLinkProps) {
  return (
    <a class="t cut" dir="auto" href={`?task=${id}`} onClick={onOpen}>
      {title}
    </a>
  );
}
