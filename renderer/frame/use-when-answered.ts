import { useLayoutEffect } from 'preact/hooks';
import { useModel } from '../model.ts';
import { whenAnswered } from './when-answered.ts';

/** Reads when the component opens, and again whenever the agent answers again. @param read the same at each drawing */
export function useWhenAnswered(read: () => unknown): void {
  const { frame } = useModel();
  useLayoutEffect(() => whenAnswered(frame, read), [frame, read]);
}
