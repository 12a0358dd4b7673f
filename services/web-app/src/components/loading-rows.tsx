import { useEffect, useState } from 'preact/hooks';

const delayMilliseconds = 150;

/** Three placeholder rows while the first rows are loading; not shown for fast responses. */
export function LoadingRows({ label }: { label: string }) {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), delayMilliseconds);
    return () => clearTimeout(timer);
  }, []);
  if (!isLate) return null;
  return (
    <div role="status">
      <span class="vh">{label}</span>
      <div aria-hidden="true">
        {[1, 2, 3].map((row) => (
          <div key={row} class="row is-loading">
            <span class="c" />
            <span class="stripe" />
          </div>
        ))}
      </div>
    </div>
  );
}
