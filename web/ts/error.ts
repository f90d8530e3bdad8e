/** Something that cannot be done as asked; its message is one line for the person who asked. */
export class ChuheError extends Error {
  override name = "ChuheError";
}
