// Where the page is served by `chuhe serve`: a connection to it.

/** A new connection, as a `WebSocket`. */
export function connect() {
  const address = new URL("ws", document.baseURI);
  address.protocol = "ws:";
  return new WebSocket(address);
}
