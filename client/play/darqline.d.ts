// What the page of a view sees as window.darqline (page Resources and views).

/** A rectangle in CSS pixels of the page. */
interface DarqlineRect {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A JSON value as a script gives it to view:set. */
type DarqlineValue = null | boolean | number | string | DarqlineValue[] | { [key: string]: DarqlineValue };

interface Darqline {
  /**
   * Calls fn with the latest snapshot of the topic at once, if there is one, then with every new one. Each call gets a
   * value of its own. The returned function ends it.
   */
  on<T = any>(topic: string, fn: (value: T, revision: number) => void): () => void;

  /**
   * Sends an action that the script has declared in mp.views.define. A field is a boolean, a finite number or a string
   * of up to 255 bytes without control characters; undefined leaves it out. Throws a TypeError for anything else.
   */
  send(action: string, fields?: Record<string, boolean | number | string | undefined>): void;

  /** The parts of the page that take the mouse in input mode "cursor"; the rest lets it through. */
  rects(list: DarqlineRect[]): void;

  /** Asks for the view's end: the action "close", which the script declares. */
  close(): void;

  /**
   * In the page of a sign-in screen only: what its provider puts into the claim nonce of the JWT, 43 characters of
   * base64url, as it is.
   */
  readonly authNonce?: string;

  /**
   * In the page of a sign-in screen only: sends the JWT to the server. Resolves when the server has accepted it; the page
   * loses its way to the provider then, and darqline play loads it anew if the script keeps the view open. Rejects with an
   * Error whose message can be shown: what is no JWT of up to 8192 bytes, a newer call, a session that has ended, or 15 s
   * without the server's acceptance. Why a server refuses only the script knows (player_sign_in_failed); it tells the page
   * by a topic. After a refusal the same page may call it again with a new JWT.
   */
  signIn?(assertion: string): Promise<void>;
}

declare const darqline: Darqline;
interface Window {
  readonly darqline: Darqline;
}
