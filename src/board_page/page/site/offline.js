// Offline use: registers the service worker (sw.js), and handles updates to a new version.

import { hasVectors } from "./engine/parts.js";
import { button, h } from "./dom.js";
import { t } from "./words.js";

const VERSION = document.querySelector("meta[name=chuhe-version]").content;
/** Minimum interval in milliseconds at which an open page checks for a new version. */
const PAUSE = 3_600_000;
const container = navigator.serviceWorker;

const note = h("p", { class: "note", role: "status", hidden: true });
document.querySelector("main").before(note);

/** Shows a loading or error message by its key in words.js; null hides it. */
export function show(key, values) {
  note.textContent = key ? t(key, values) : "";
  note.hidden = !key;
}

/** Offers to activate a waiting version. The game is saved when the page is left. */
function offer(registration) {
  if (!registration.waiting) return;
  note.replaceChildren(t("newVersion"), " ", button("", t("reload"), () => registration.waiting?.postMessage("activate"), { id: "reload" }));
  note.hidden = false;
}

/** Stores all files on the device, and checks for new versions. */
export async function keepOffline() {
  if (!container || keepOffline.isDone) return;
  keepOffline.isDone = true;
  try {
    const registration = await container.register(hasVectors() ? "sw.js?vectors" : "sw.js");
    registration.addEventListener("updatefound", () => {
      const worker = registration.installing;
      worker.addEventListener("statechange", () => worker.state === "installed" && container.controller && offer(registration));
    });
    if (container.controller) offer(registration);
    let last = Date.now();
    document.addEventListener("visibilitychange", () => {
      if (document.hidden || Date.now() - last < PAUSE) return;
      last = Date.now();
      registration.update().catch(() => {});
    });
  } catch (error) {
    // The browser lacks space or is in private mode: the page then works only online.
    console.warn("chuhe:", error);
  }
}

// If no other page is open, activate a waiting version now, before the user does anything in this page.
container?.getRegistration().then((registration) => registration?.waiting?.postMessage("activate if alone"));
container?.addEventListener("message", ({ data }) => data.version && data.version !== VERSION && location.reload());
