// Runs in the page's process, sandboxed. It gives the page two functions, and nothing of Electron.
import { contextBridge, ipcRenderer } from 'electron';
import { eventChannel, questionChannel } from './channels.ts';

interface Question {
  readonly command: string;
  readonly input: unknown;
}

contextBridge.exposeInMainWorld('tillbridge', {
  call: ({ command, input }: Question): Promise<unknown> => ipcRenderer.invoke(questionChannel, { command, input }),
  onEvent(listener: (event: unknown) => void): () => void {
    // Electron's own event object is left out, because it would give the page the sender.
    const receive = (_: unknown, event: unknown): void => listener(event);
    ipcRenderer.on(eventChannel, receive);
    return () => {
      ipcRenderer.off(eventChannel, receive);
    };
  },
});
