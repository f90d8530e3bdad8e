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

/** What readers of a language are used to, until they choose something else. */
const USUAL = {
  en: { notation: "wxr", pieces: "characters" },
  "zh-Hans": { notation: "chinese-simplified", pieces: "simplified" },
  "zh-Hant": { notation: "chinese", pieces: "characters" },
};

function usual() {
  const own = navigator.language ?? "en";
  const language = !own.startsWith("zh") ? "en" : /hant|tw|hk|mo/i.test(own) ? "zh-Hant" : "zh-Hans";
  return { language, ...USUAL[language] };
}

export const preferences = {
  theme: "auto", rules: "world", lines: 2, arrows: true, edges: "files", animate: true, sounds: true, level: 5, side: "red", clock: "none", review: 500,
  ...usual(), ...read(localStorage, PREFERENCES),
};

// What the reader has chosen; earlier versions did not note it.
preferences.chosen ??= Object.entries(USUAL[preferences.language] ?? {}).filter(([name, value]) => preferences[name] !== value).map(([name]) => name);

/** The reader sets something by hand. */
export function choosePreference(name, value) {
  preferences[name] = value;
  if (name in USUAL.en && !preferences.chosen.includes(name)) preferences.chosen.push(name);
  keepPreferences();
}

/** The page speaks another language; what the reader has not chosen becomes what is usual in it. */
export function chooseLanguage(language) {
  preferences.language = language;
  for (const [name, value] of Object.entries(USUAL[language])) if (!preferences.chosen.includes(name)) preferences[name] = value;
  keepPreferences();
}

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
