import { useEffect, useState } from 'preact/hooks';

const pauseMilliseconds = 800;

/** Said by screen readers once it stays the same: not what each letter that is typed makes of it. */
export function SaidAfterPause({ text }: { text: string }) {
  const [said, setSaid] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setSaid(text), pauseMilliseconds);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <div class="vh" role="status">
      {said === text ? said : ''}
    </div>
  );
}
