// The connection of the page as served by `chuhe serve`.

/** Opens a `WebSocket` to the server. */
export function connect() {
  const address = new URL("ws", document.baseURI);
  address.protocol = "ws:";
  return new WebSocket(address);
}
