// Browser storage other than the games: settings for all pages of this origin, and the state of this tab.

const PREFERENCES = "chuhe-preferences";
const SESSION = "chuhe-session";
const GAME = "chuhe-game";
const RECENT = "chuhe-recent";

function read(storage, name) {
  try {
    // Browsers that block the data of sites throw at the storage itself.
    return JSON.parse(globalThis[storage].getItem(name));
  } catch {
    return null;
  }
}

function write(storage, name, value) {
  try {
    globalThis[storage].setItem(name, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

/** Default settings by language. */
const DEFAULTS = {
  en: { notation: "wxr", pieces: "characters" },
  "zh-Hans": { notation: "chinese-simplified", pieces: "simplified" },
  "zh-Hant": { notation: "chinese", pieces: "characters" },
};

function languageDefaults() {
  const own = navigator.language ?? "en";
  const language = !own.startsWith("zh") ? "en" : /hant|tw|hk|mo/i.test(own) ? "zh-Hant" : "zh-Hans";
  return { language, ...DEFAULTS[language] };
}

export const preferences = {
  theme: "auto", rules: "world", lines: 2, arrows: true, edges: "files", animate: true, sounds: true, level: 5, side: "red", clock: "none", review: 500,
  ...languageDefaults(), ...read("localStorage", PREFERENCES),
};

// The settings chosen explicitly by the user; earlier versions did not record them.
preferences.chosen ??= Object.entries(DEFAULTS[preferences.language] ?? {}).filter(([name, value]) => preferences[name] !== value).map(([name]) => name);

/** Changes a setting explicitly. */
export function choosePreference(name, value) {
  preferences[name] = value;
  if (name in DEFAULTS.en && !preferences.chosen.includes(name)) preferences.chosen.push(name);
  keepPreferences();
}

/** Changes the language, and with it the defaults of settings that the user has not chosen explicitly. */
export function chooseLanguage(language) {
  preferences.language = language;
  for (const [name, value] of Object.entries(DEFAULTS[language])) if (!preferences.chosen.includes(name)) preferences[name] = value;
  keepPreferences();
}

export const keepPreferences = () => write("localStorage", PREFERENCES, preferences);

export const keepSession = (session) => write("sessionStorage", SESSION, session);
export const session = () => read("sessionStorage", SESSION);

/** The library game of this tab: `{ id, revision, isDirty }`. */
export const keepSessionGame = ({ id, revision, isDirty }) => write("sessionStorage", GAME, { id, revision, isDirty });
export const sessionGame = () => read("sessionStorage", GAME);

/** Games stored by earlier versions, oldest first; they are imported once. */
export function formerGames() {
  const games = read("localStorage", RECENT);
  return Array.isArray(games) ? games.reverse() : [];
}

export function forgetFormerGames() {
  try {
    localStorage.removeItem(RECENT);
  } catch {
    // Without storage there is nothing to remove.
  }
}
