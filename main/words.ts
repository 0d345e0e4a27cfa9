import type { Locale } from '../shared/till/locales.ts';
import { localeTable } from '../shared/till/locales.ts';
import { connectionWords } from '../shared/till/state-words.ts';
import { unsentCount } from '../shared/till/unsent-count.ts';
import type { TillState } from '../shared/till/views.ts';

/** The words of the window around the page: its dialogs, the tray's menu, and the page that replaces the screen. */
interface ShellWords {
  readonly waiting: (written: string) => string;
  readonly open: string;
  readonly quit: string;
  readonly leaving: {
    readonly title: string;
    readonly next: string;
    readonly stay: string;
  };
  readonly stopped: {
    readonly title: string;
    /** One sentence each. */
    readonly lines: readonly string[];
    readonly again: string;
  };
}

export const shellWords: Readonly<Record<Locale, ShellWords>> = {
  en: {
    waiting: (written) => `Waiting to send: ${written}`,
    open: 'Open Tillbridge',
    quit: 'Quit',
    leaving: {
      title: 'Quit Tillbridge?',
      next: 'The sales are saved on this till. Tillbridge sends them at the next start.',
      stay: 'Stay',
    },
    stopped: {
      title: 'The cashier screen has stopped',
      lines: [
        'The screen stopped 3 times within 1 minute.',
        'Saved sales are safe, and Tillbridge goes on sending them.',
        'Press the button. If the screen stops again, call store IT.',
      ],
      again: 'Open the cashier screen',
    },
  },
  ar: {
    waiting: (written) => `بانتظار الإرسال: ${written}`,
    open: 'فتح Tillbridge',
    quit: 'إنهاء',
    leaving: {
      title: 'إنهاء Tillbridge؟',
      next: 'المبيعات محفوظة على هذا الصندوق، وتُرسل عند التشغيل التالي.',
      stay: 'البقاء',
    },
    stopped: {
      title: 'توقفت شاشة البائع',
      lines: [
        'توقفت الشاشة ٣ مرات خلال دقيقة واحدة.',
        'المبيعات المحفوظة آمنة، ويستمر إرسالها.',
        'اضغط الزر. إذا توقفت الشاشة مجددًا فاتصل بالدعم الفني.',
      ],
      again: 'فتح شاشة البائع',
    },
  },
};

/** A number as the language writes it. */
export function written(count: number, locale: Locale): string {
  return new Intl.NumberFormat(localeTable[locale].tag).format(count);
}

/** The state of a till in one line, such as "Offline · Waiting to send: 3". */
export function stateLine(state: Pick<TillState, 'connection' | 'operations' | 'locale'>): string {
  const { locale, connection } = state;
  const waiting = unsentCount(state.operations);
  const line = connectionWords[locale][connection.state];
  return waiting === 0 ? line : `${line} · ${shellWords[locale].waiting(written(waiting, locale))}`;
}
