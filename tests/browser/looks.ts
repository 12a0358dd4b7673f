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

export const looks: readonly Look[] = [
  { ...desktop, name: 'desktop-light', colorScheme: 'light' },
  { ...desktop, name: 'desktop-dark-keyboard', colorScheme: 'dark', hands: 'keyboard' },
  { ...phone, name: 'phone-light-without-script', colorScheme: 'light', hasScript: false },
  { ...phone, name: 'phone-dark', colorScheme: 'dark' },
];
