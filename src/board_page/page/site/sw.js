// The service worker, which stores the page on the device. `chuhe site` inserts VERSION and FILES, the SHA-256 of every file, above.
//
// A version is stored completely or not at all: every file is checked against its hash, and a new version takes over only when no page
// of the old one is open, or when all of them are reloaded.

const OWN = `chuhe ${registration.scope} `;
const CACHE = OWN + VERSION;
const isPacked = typeof DecompressionStream !== "undefined";
const hasVectors = location.search === "?vectors";

/** Whether this browser uses a file: one of the two modules, and gzip files if it can decompress them. */
function isUsed(name) {
  if (name.endsWith(".wasm") || name.endsWith(".wasm.gz")) return name.endsWith(".gz") === isPacked && name.includes("simd128") === hasVectors;
  return name.endsWith(".gz") ? isPacked : !(isPacked && `${name}.gz` in FILES);
}

const hashOf = async (bytes) => Array.from(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)), (byte) => byte.toString(16).padStart(2, "0")).join("");

/** The headers by which a host isolates the page, so that it can share memory with its workers. */
const ISOLATION = ["Cross-Origin-Opener-Policy", "Cross-Origin-Embedder-Policy", "Cross-Origin-Resource-Policy"];

const isolationOf = ({ headers }) => Object.fromEntries(ISOLATION.map((name) => [name, headers.get(name)]).filter(([, value]) => value));

const caches_ = async () => (await caches.keys()).filter((name) => name.startsWith(OWN));

/** Adds a file to the cache, from the cache of an older version if it has not changed, otherwise from the host. `isolation`: the headers of
 * isolation, by default those of the answer. */
async function take(cache, name, older, isolation) {
  const url = new URL(name, registration.scope);
  // If the host sends `Content-Encoding`, the browser has already decompressed the file.
  const expected = [FILES[name], FILES[name.replace(/\.gz$/, "")]];
  const keep = async (answer) => {
    const bytes = await answer.arrayBuffer();
    const isRight = expected.includes(await hashOf(bytes));
    if (isRight) await cache.put(url, new Response(bytes, { headers: { "Content-Type": answer.headers.get("Content-Type") ?? "", ...(isolation ?? isolationOf(answer)) } }));
    return isRight;
  };
  for (const known of older) {
    const answer = await known.match(url);
    if (answer && (await keep(answer))) return;
  }
  // First revalidate the browser's own cache, which is cheap if the page has just been loaded.
  for (const mode of ["no-cache", "reload"]) {
    const answer = await fetch(url, { cache: mode });
    if (answer.ok && (await keep(answer))) return;
  }
  throw new Error(`${url} is not of version ${VERSION}`);
}

async function install() {
  const older = await Promise.all((await caches_()).map((name) => caches.open(name)));
  const cache = await caches.open(CACHE);
  // In an isolated page only files with the same headers run as workers, and those from an older version may have been stored without.
  await take(cache, "./", older);
  const isolation = isolationOf(await cache.match(registration.scope));
  await Promise.all(Object.keys(FILES).filter((name) => name !== "./" && isUsed(name)).map((name) => take(cache, name, older, isolation)));
}

async function activate() {
  for (const name of await caches_()) if (name !== CACHE) await caches.delete(name);
  await clients.claim();
  // Pages of another version reload.
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
  // Ignore the query and the fragment; games and positions in the URL are handled by the page.
  const url = new URL(request.url.replace(/[?#].*$/, ""));
  if (url.href === new URL("index.html", registration.scope).href) url.href = registration.scope;
  event.respondWith(answer(request, url));
});
