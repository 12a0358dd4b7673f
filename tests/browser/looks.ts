/** How a walk is taken: on what screen, with what hands. */
export type Look = {
  name: string;
  width: number;
  height: number;
  colorScheme: 'light' | 'dark';
  hasScript: boolean;
  hands: 'mouse' | 'keyboard';
};

const desktop = { width: 1280, height: 800, hasScript: true, hands: 'mouse' } as const;
const phone = { ...desktop, width: 390, height: 844 } as const;

/** Each screen, scheme and way of use once: two walks show what sixteen would. */
export const looks: readonly Look[] = [
  { ...desktop, name: 'desktop-light-keyboard', colorScheme: 'light', hands: 'keyboard' },
  { ...phone, name: 'phone-dark-without-script', colorScheme: 'dark', hasScript: false },
];
