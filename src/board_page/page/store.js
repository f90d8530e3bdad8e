// What the browser keeps beside the games: settings for all pages of this address, and what this tab shows.

const PREFERENCES = "chuhe-preferences";
const SESSION = "chuhe-session";
const GAME = "chuhe-game";
const RECENT = "chuhe-recent";

function read(storage, name) {
  try {
    return JSON.parse(storage.getItem(name));
  } catch {
    return null;
  }
}

function write(storage, name, value) {
  try {
    storage.setItem(name, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

function usual() {
  const language = navigator.language ?? "en";
  if (!language.startsWith("zh")) return { language: "en", notation: "wxr", pieces: "characters" };
  return /hant|tw|hk|mo/i.test(language)
    ? { language: "zh-Hant", notation: "chinese", pieces: "characters" }
    : { language: "zh-Hans", notation: "chinese-simplified", pieces: "simplified" };
}

export const preferences = {
  theme: "auto", rules: "world", lines: 2, arrows: true, edges: "files", animate: true, level: 5, side: "red", clock: "none", review: 500,
  ...usual(), ...read(localStorage, PREFERENCES),
};

export const keepPreferences = () => write(localStorage, PREFERENCES, preferences);

export const keepSession = (session) => write(sessionStorage, SESSION, session);
export const session = () => read(sessionStorage, SESSION);

/** Which game of the library this tab has: `{ id, revision, isDirty }`. */
export const keepSessionGame = ({ id, revision, isDirty }) => write(sessionStorage, GAME, { id, revision, isDirty });
export const sessionGame = () => read(sessionStorage, GAME);

/** Games as earlier versions have kept them, the oldest first; they are asked for once. */
export function formerGames() {
  const games = read(localStorage, RECENT);
  return Array.isArray(games) ? games.reverse() : [];
}

export function forgetFormerGames() {
  try {
    localStorage.removeItem(RECENT);
  } catch {
    // Without storage there are none.
  }
}
