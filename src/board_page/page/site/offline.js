// What keeps the page on the device: the service worker (sw.js), and the change to a new version.

import { hasVectors } from "./engine/parts.js";
import { button, h } from "./dom.js";
import { t } from "./words.js";

const VERSION = document.querySelector("meta[name=chuhe-version]").content;
/** How often a page that stays open looks for a new version. */
const PAUSE = 3_600_000;
const container = navigator.serviceWorker;

const note = h("p", { class: "note", role: "status", hidden: true });
document.querySelector("main").before(note);

/** Shows what is still on its way or cannot be had, by its word; null when nothing is. */
export function show(key, values) {
  note.textContent = key ? t(key, values) : "";
  note.hidden = !key;
}

/** Offers the version that waits. The game is kept when the page is left. */
function offer(registration) {
  if (!registration.waiting) return;
  note.replaceChildren(t("newVersion"), " ", button("", t("reload"), () => registration.waiting?.postMessage("activate"), { id: "reload" }));
  note.hidden = false;
}

/** Keeps all files on the device, and looks for new ones. */
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
    // A browser without room, or in private mode: the page works as long as there is a network.
    console.warn("chuhe:", error);
  }
}

// A version that came while no page was left takes over before anything is done in this one.
container?.getRegistration().then((registration) => registration?.waiting?.postMessage("activate if alone"));
container?.addEventListener("message", ({ data }) => data.version && data.version !== VERSION && location.reload());
