import { useLayoutEffect, useRef } from 'preact/hooks';

/** The only place that inserts HTML: `descriptionHtml`, sanitised by the server. */
const rules = { createHTML: (html: string) => html };
const policy = window.trustedTypes?.createPolicy('notes', rules) ?? rules;

/** Links open in a new tab without an opener; check boxes are named by their line. */
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
