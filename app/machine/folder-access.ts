/** How a file or folder stands to the other users of this machine. */
export interface FileStanding {
  readonly path: string;
  /** This user's, or an administrator's, who can change every file anyway. */
  readonly isOwn: boolean;
  readonly othersMay: 'nothing' | 'read' | 'write';
  /** Who they are, as the system calls them; empty where it does not say. */
  readonly others: readonly string[];
  /** Those of them whom the file itself lets in, and not the folder above. */
  readonly listed: readonly string[];
}

/** An operating system's way of saying who may use a folder: by modes, or by lists. What is right is in closed-folder.ts. */
export interface FolderAccess {
  /** A new file gets its rights from the folder: it is as open as that. */
  readonly isInherited: boolean;
  /** Whether the system keeps others out of a place, whatever is in it. */
  readonly isClosedPlace: (dataDir: string) => boolean;
  /** Why no till may have this place; null where one may. */
  readonly whyNoPlace: (dataDir: string) => string | null;
  /**
   * @param names below the folder
   * @returns the folder's standing first, then one for each name
   * @throws RightsError
   */
  readonly look: (dataDir: string, names: readonly string[]) => readonly FileStanding[];
  /** Takes what is open away from others. @throws RightsError, or what the system says */
  readonly close: (dataDir: string, open: readonly FileStanding[]) => void;
  /** What a person types to close a folder or file. */
  readonly howToClose: (path: string) => string;
}

/** The rights could not be read or changed. */
export class RightsError extends Error {
  override readonly name = 'RightsError';
}

/** Who can change a file. */
export type Writers =
  | { readonly kind: 'administrators' }
  | { readonly kind: 'others'; readonly why: string }
  /** The system does not say. */
  | { readonly kind: 'unknown'; readonly why: string };
