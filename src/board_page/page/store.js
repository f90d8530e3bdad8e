// What the browser keeps: settings for all pages of this address, the game for this tab, and the games before it.

const PREFERENCES = "chuhe-preferences";
const SESSION = "chuhe-session";
const RECENT = "chuhe-recent";
const MOST_RECENT = 12;
const LONGEST_RECENT = 400_000;

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

/** The games that were on the board, the latest first. */
export const recent = () => read(localStorage, RECENT) ?? [];

/** Keeps a game that leaves the board, so that it can be brought back. */
export function archive(game) {
  if (JSON.stringify(game).length > LONGEST_RECENT) return;
  let games = [game, ...recent().filter((known) => JSON.stringify(known.tree) !== JSON.stringify(game.tree))].slice(0, MOST_RECENT);
  // The oldest go when there is no room.
  while (games.length && !write(localStorage, RECENT, games)) games = games.slice(0, -1);
}
