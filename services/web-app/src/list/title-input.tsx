import { useLayoutEffect, useRef } from 'preact/hooks';
import { returnFocusSoon } from './list-state.ts';

type TitleInputProps = {
  title: string;
  label: string;
  class?: string;
  /** null: cancelled, or nothing was entered. */
  onEnd: (title: string | null) => void;
};

/** Enter, blur and removal of the field save; Escape restores. */
export function TitleInput({
  title: named,
  label,
  class: className = 'title-input',
  onEnd,
}: TitleInputProps) {
  // As it stands in the field, which drops line breaks.
  const title = named.replaceAll(/[\n\r]/g, ' ').trim();
  const field = useRef<HTMLInputElement>(null);
  const isOver = useRef(false);
  useLayoutEffect(() => {
    const opener = document.activeElement;
    const element = field.current;
    element?.focus();
    element?.select();
    const save = () => end(true);
    window.addEventListener('beforeunload', save);
    return () => {
      window.removeEventListener('beforeunload', save);
      save();
      // Immediately, or the list would focus a row.
      const hasFocus = document.activeElement === element;
      if (hasFocus && opener instanceof HTMLElement && opener.isConnected) opener.focus();
      returnFocusSoon(opener);
    };
  }, []);
  const end = (saves: boolean) => {
    if (isOver.current) return;
    isOver.current = true;
    const text = field.current?.value.trim() ?? '';
    onEnd(saves && text && text !== title ? text : null);
  };
  return (
    <input
      ref={field}
      class={className}
      dir="auto"
      defaultValue={title}
      aria-label={label}
      placeholder={title ? undefined : label}
      onBlur={() => end(true)}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key !== 'Enter' && event.key !== 'Escape') return;
        event.preventDefault();
        end(event.key === 'Enter');
      }}
    />
  );
}
