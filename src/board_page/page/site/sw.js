// Keeps the page on the device. VERSION and FILES, each file with its SHA-256, are written above by `chuhe site`.
//
// A version is kept whole or not at all: every file is compared with its hash, and a new version takes over only when no page of the
// old one is left, or when all of them load again.

const OWN = `chuhe ${registration.scope} `;
const CACHE = OWN + VERSION;
const isPacked = typeof DecompressionStream !== "undefined";
const hasVectors = location.search === "?vectors";

/** Whether this browser uses a file: it takes one of two modules, and files in gzip where it can unpack them. */
function isUsed(name) {
  if (name.endsWith(".wasm") || name.endsWith(".wasm.gz")) return name.endsWith(".gz") === isPacked && name.includes("simd128") === hasVectors;
  return name.endsWith(".gz") ? isPacked : !(isPacked && `${name}.gz` in FILES);
}

const hashOf = async (bytes) => Array.from(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)), (byte) => byte.toString(16).padStart(2, "0")).join("");

const caches_ = async () => (await caches.keys()).filter((name) => name.startsWith(OWN));

/** Brings a file into the cache: from that of an older version where it has not changed, else from the host. */
async function take(cache, name, older) {
  const url = new URL(name, registration.scope);
  // A host that declares the encoding of a file has the browser unpack it.
  const expected = [FILES[name], FILES[name.replace(/\.gz$/, "")]];
  const keep = async (answer) => {
    const bytes = await answer.arrayBuffer();
    const isRight = expected.includes(await hashOf(bytes));
    if (isRight) await cache.put(url, new Response(bytes, { headers: { "Content-Type": answer.headers.get("Content-Type") ?? "" } }));
    return isRight;
  };
  for (const known of older) {
    const answer = await known.match(url);
    if (answer && (await keep(answer))) return;
  }
  // First a question whether what the browser has is still right, which costs nothing where the page has just been loaded.
  for (const mode of ["no-cache", "reload"]) {
    const answer = await fetch(url, { cache: mode });
    if (answer.ok && (await keep(answer))) return;
  }
  throw new Error(`${url} is not of version ${VERSION}`);
}

async function install() {
  const older = await Promise.all((await caches_()).map((name) => caches.open(name)));
  const cache = await caches.open(CACHE);
  await Promise.all(Object.keys(FILES).filter(isUsed).map((name) => take(cache, name, older)));
}

async function activate() {
  for (const name of await caches_()) if (name !== CACHE) await caches.delete(name);
  await clients.claim();
  // A page of another version loads again.
  for (const client of await clients.matchAll()) client.postMessage({ version: VERSION });
}

async function answer(request, url) {
  const cache = await caches.open(CACHE);
  return (await cache.match(url)) ?? fetch(request);
}

addEventListener("install", (event) => event.waitUntil(install()));
addEventListener("activate", (event) => event.waitUntil(activate()));
addEventListener("message", async ({ data }) => {
  if (data === "activate" || (data === "activate if alone" && (await clients.matchAll({ includeUncontrolled: true })).length <= 1)) skipWaiting();
});
addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || !request.url.startsWith(registration.scope)) return;
  // Games and positions in the address are the page's affair.
  const url = new URL(request.url.replace(/[?#].*$/, ""));
  if (url.href === new URL("index.html", registration.scope).href) url.href = registration.scope;
  event.respondWith(answer(request, url));
});
