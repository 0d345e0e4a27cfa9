import type { OperationState } from '../machines/operation.ts';
import type { DayOutcome } from './day-names.ts';
import type { Locale } from './locales.ts';
import type { ConnectionState } from './views.ts';

/** The words for each state, in every language of the screen. The commands and the documents use `en`. */
type Glossary<State extends string> = Readonly<Record<Locale, Readonly<Record<State, string>>>>;

/**
 * The state of an operation in a list. In front of a customer the screen says what was added instead ("12 points
 * added").
 */
export const stateWords: Glossary<OperationState> = {
  en: {
    queued: 'Waiting to send',
    sending: 'Sending',
    unknown: 'Checking',
    accepted: 'Sent, pending',
    applied: 'Completed',
    refused: 'Refused',
    failed: 'Failed',
    cancelled: 'Cancelled',
    reversed: 'Reversed',
    written_off: 'Written off',
  },
  ar: {
    queued: 'في انتظار الإرسال',
    sending: 'قيد الإرسال',
    unknown: 'قيد التحقق',
    accepted: 'أُرسلت، قيد المعالجة',
    applied: 'اكتملت',
    refused: 'مرفوضة',
    failed: 'لم تنجح',
    cancelled: 'أُلغيت',
    reversed: 'استُرجعت',
    written_off: 'شُطبت',
  },
};

/** The columns of a business day: each counts one or more states. */
export const dayOutcomeWords: Glossary<DayOutcome> = {
  en: {
    applied: stateWords.en.applied,
    waiting: 'Waiting',
    refused: 'Refused or failed',
    written_off: stateWords.en.written_off,
    taken_back: 'Reversed or cancelled',
  },
  ar: {
    applied: stateWords.ar.applied,
    waiting: 'في الانتظار',
    refused: 'مرفوضة أو لم تنجح',
    written_off: stateWords.ar.written_off,
    taken_back: 'استُرجعت أو أُلغيت',
  },
};

export const connectionWords: Glossary<ConnectionState> = {
  en: {
    online: 'Online',
    checking: 'Checking',
    offline: 'Offline',
    key_refused: 'Key refused',
    suspended: 'Suspended',
    clock_wrong: 'Clock wrong',
  },
  ar: {
    online: 'متصل',
    checking: 'جارٍ التحقق',
    offline: 'غير متصل',
    key_refused: 'المفتاح مرفوض',
    suspended: 'الخدمة موقوفة',
    clock_wrong: 'الساعة غير صحيحة',
  },
};

/** The verdict of a check: a line of the doctor (in capitals there), or of a connection test. */
export const verdictWords: Glossary<'well' | 'warning' | 'problem'> = {
  en: { well: 'OK', warning: 'Warn', problem: 'Fail' },
  ar: { well: 'سليم', warning: 'تنبيه', problem: 'خلل' },
};
