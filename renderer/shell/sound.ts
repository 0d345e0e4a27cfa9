/** Short sounds. A till may have no speaker, so they never fail. */
export interface Sounds {
  readonly success: () => void;
  readonly failure: () => void;
}

interface Note {
  readonly frequencyHz: number;
  readonly startsAtSeconds: number;
  readonly lastsSeconds: number;
  readonly wave: OscillatorType;
}

const successNotes: readonly Note[] = [
  { frequencyHz: 659, startsAtSeconds: 0, lastsSeconds: 0.09, wave: 'sine' },
  { frequencyHz: 988, startsAtSeconds: 0.08, lastsSeconds: 0.16, wave: 'sine' },
];
const failureNotes: readonly Note[] = [
  { frequencyHz: 196, startsAtSeconds: 0, lastsSeconds: 0.18, wave: 'square' },
  { frequencyHz: 147, startsAtSeconds: 0.2, lastsSeconds: 0.32, wave: 'square' },
];
const loudness = 0.12;

export function makeSounds(): Sounds {
  let context: AudioContext | null = null;
  const play = (notes: readonly Note[]): void => {
    try {
      context ??= new AudioContext();
      const { destination, currentTime } = context;
      // Until the page is touched, the browser keeps it silent.
      void context.resume().catch(() => undefined);
      for (const note of notes) playNote(context, destination, currentTime, note);
    } catch {
      // There is no sound device, or too many are open. The screen says the same.
    }
  };
  return { success: () => play(successNotes), failure: () => play(failureNotes) };
}

function playNote(context: AudioContext, destination: AudioNode, nowSeconds: number, note: Note): void {
  const oscillator = context.createOscillator();
  const gain = context.createGain();
  const start = nowSeconds + note.startsAtSeconds;
  const end = start + note.lastsSeconds;
  oscillator.type = note.wave;
  oscillator.frequency.value = note.frequencyHz;
  gain.gain.setValueAtTime(loudness, start);
  gain.gain.exponentialRampToValueAtTime(0.001, end);
  oscillator.connect(gain).connect(destination);
  oscillator.start(start);
  oscillator.stop(end);
}
