import { useLayoutEffect, useRef } from 'preact/hooks';

/** The one place that makes markup of text: `descriptionHtml` of an answer, which the server has sanitised. */
const rules = { createHTML: (html: string) => html };
const policy = window.trustedTypes?.createPolicy('notes', rules) ?? rules;

/** Notes as the server renders them. Links open in a new tab that knows nothing of this one; boxes have their line's name. */
export function RenderedNotes({ descriptionHtml }: { descriptionHtml: string }) {
  const element = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (element.current === null) return;
    element.current.innerHTML = policy.createHTML(descriptionHtml);
    for (const link of element.current.querySelectorAll('a')) {
      link.target = '_blank';
      link.rel = 'noopener noreferrer';
    }
    for (const box of element.current.querySelectorAll('input'))
      box.ariaLabel = box.parentElement?.textContent.trim() ?? null;
  }, [descriptionHtml]);
  return <div ref={element} class="md" dir="auto" />;
}
