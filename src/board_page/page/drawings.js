// Arrows and circles that the user draws on the board: `Ge4` is a circle, `Gh2e2` an arrow; the first letter is the colour, as in PGN
// comments.

/** The colours. As in other programs the modifier keys select them: none, shift or control, alt, both. */
const COLORS = { G: "green", R: "red", B: "blue", Y: "yellow" };

export const colorOf = (shape) => COLORS[shape[0]];

/** The letter of the colour for the pressed modifier keys. */
export const colorFor = ({ shiftKey, ctrlKey, altKey }) => (shiftKey || ctrlKey ? (altKey ? "Y" : "R") : altKey ? "B" : "G");

/** A circle around `from`, or an arrow if `to` is another square. */
export const shapeOf = (color, from, to) => color + from + (to === from ? "" : to);

/** Whether a text is a shape. */
export const isShape = (text) => typeof text === "string" && /^[GRBY][a-i]\d([a-i]\d)?$/.test(text);

/** The shapes after drawing another one: an equal shape is removed, one of another colour replaced. */
export function toggle(shapes, shape) {
  const rest = shapes.filter((other) => other.slice(1) !== shape.slice(1));
  return shapes.includes(shape) ? rest : [...rest, shape];
}

const POINT = "[GRBY][a-i]\\d";
/** The drawing commands in PGN comments: `[%csl Ge4,Rh2]` for circles, `[%cal Gh2e2]` for arrows. Malformed ones remain part of the comment. */
const COMMAND = new RegExp(`\\[%(?:csl\\s+${POINT}(?:\\s*,\\s*${POINT})*|cal\\s+${POINT}[a-i]\\d(?:\\s*,\\s*${POINT}[a-i]\\d)*)\\s*\\] ?`, "g");

/** Splits a comment into its text and the shapes of its drawing commands. */
export function ofComment(text) {
  const shapes = [];
  const comment = text.replace(COMMAND, (command) => {
    shapes.push(...command.match(new RegExp(`${POINT}(?:[a-i]\\d)?`, "g")));
    return "";
  });
  return { comment: shapes.length ? comment.trimEnd() : text, shapes: [...new Set(shapes)] };
}

/** Prepends shapes to a comment as drawing commands. */
export function inComment(comment, shapes) {
  const command = (name, found) => (found.length ? `[%${name} ${found.join(",")}]` : "");
  const [circles, arrows] = [shapes.filter((shape) => shape.length === 3), shapes.filter((shape) => shape.length > 3)];
  return [command("csl", circles), command("cal", arrows), comment].filter(Boolean).join(" ");
}
