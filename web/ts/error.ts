/** Invalid input or a failed operation; its message is one line for the user. */
export class ChuheError extends Error {
  override name = "ChuheError";
}
