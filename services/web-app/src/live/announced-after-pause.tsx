import { useEffect, useState } from 'preact/hooks';

const pauseMilliseconds = 800;

/** Announced when it stops changing, not at every letter typed. */
export function AnnouncedAfterPause({ text }: { text: string }) {
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
