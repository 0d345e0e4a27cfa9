import type { Memory } from '../frame/frame.ts';

/** The browser's storage. Without one (a kiosk in private mode) the page remembers nothing. */
export function pageMemory(page: Window): Memory {
  return {
    read(key) {
      try {
        return page.localStorage.getItem(`tillbridge.${key}`);
      } catch {
        return null;
      }
    },
    write(key, value) {
      try {
        page.localStorage.setItem(`tillbridge.${key}`, value);
      } catch {
        // The browser refused: it is not remembered.
      }
    },
  };
}
