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

function forget(storage, name) {
  try {
    globalThis[storage].removeItem(name);
  } catch {
    // Without storage there is nothing to remove.
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

/** The settings that were last read or written. */
let known = { ...preferences };

/** Stores the settings that have changed in this page. Another tab may have changed the others, so the stored ones are kept. */
export function keepPreferences() {
  const stored = read("localStorage", PREFERENCES) ?? {};
  const changed = Object.entries(preferences).filter(([name, value]) => value !== known[name]);
  const chosen = [...new Set([...(stored.chosen ?? []), ...preferences.chosen])];
  const isKept = write("localStorage", PREFERENCES, { ...preferences, ...stored, ...Object.fromEntries(changed), chosen });
  if (isKept) known = { ...preferences };
  return isKept;
}

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

/** Keeps the state of this tab. If there is no room for it, that of an earlier game is removed: after a reload it would be taken for this
 * game, and replace it in the library. */
export function keepSession(session) {
  const isKept = write("sessionStorage", SESSION, session);
  if (!isKept) forget("sessionStorage", SESSION);
  return isKept;
}
export const session = () => read("sessionStorage", SESSION);

/** The library game of this tab: `{ id, revision, isDirty }`. */
export const keepSessionGame = ({ id, revision, isDirty }) => write("sessionStorage", GAME, { id, revision, isDirty });
export const sessionGame = () => read("sessionStorage", GAME);

/** Games stored by earlier versions, oldest first; they are imported once. */
export function formerGames() {
  const games = read("localStorage", RECENT);
  return Array.isArray(games) ? games.reverse() : [];
}

export const forgetFormerGames = () => forget("localStorage", RECENT);
