const texts = new Map<string, string>();
const ofPage = {
  getItem: (name: string) => texts.get(name) ?? null,
  setItem: (name: string, text: string) => void texts.set(name, text),
  removeItem: (name: string) => void texts.delete(name),
};

/** Where the browser allows none, what is kept lasts as long as the page. */
function storage(name: 'localStorage' | 'sessionStorage'): Pick<Storage, keyof typeof ofPage> {
  try {
    return window[name] ?? ofPage;
  } catch {
    return ofPage;
  }
}

export const deviceStorage = storage('localStorage');
export const tabStorage = storage('sessionStorage');
