/**
 * One text that several windows read and change. Declared here as a port: the policy keeps its state in it, whatever
 * it is stored on.
 */
export interface StateFile {
  /** For messages: where the text is kept. */
  readonly place: string;
  /** The text and a mark that changes whenever the text does; `undefined` if nothing has been stored. */
  read(): Promise<StoredText | undefined>;
  /** The mark alone, cheaply. */
  mark(): Promise<string | undefined>;
  /**
   * Runs `change` on the newest text while nobody else, in any process, changes it, and stores what it returns as a
   * whole or not at all. `undefined` leaves all as it is. Returns the new mark.
   */
  update(change: (text: string | undefined) => string | undefined): Promise<string | undefined>;
  /** Moves an unreadable text aside if it still is that one; returns where it is kept now. */
  setAside(text: string): Promise<string | undefined>;
}

export interface StoredText {
  readonly text: string;
  readonly mark: string;
}
