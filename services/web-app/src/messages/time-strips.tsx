import { ClockStrip } from './clock-strip.tsx';
import { ZoneStrip } from './zone-strip.tsx';

/** Why days may be others than those meant. */
export function TimeStrips() {
  return (
    <>
      <ClockStrip />
      <ZoneStrip />
    </>
  );
}
