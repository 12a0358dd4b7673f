import type { TextareaHTMLAttributes } from 'preact';

type GrowingFieldProps = TextareaHTMLAttributes & { value: string };

/** One line, or as many as its text needs. A copy of the text gives the height in every browser. */
export function GrowingField(props: GrowingFieldProps) {
  return (
    <span class="fit" data-text={props.value}>
      <textarea dir="auto" rows={1} {...props} />
    </span>
  );
}
