// Arrows and circles that the reader draws on the board: `Ge4` a circle, `Gh2e2` an arrow, the first letter its colour, as the
// marks of PGN comments have it.

/** The colours and the keys that choose them, as in other boards: none, shift or control, alt, both. */
const COLORS = { G: "green", R: "red", B: "blue", Y: "yellow" };

export const colorOf = (shape) => COLORS[shape[0]];

/** The letter of the colour for the keys that are pressed. */
export const colorFor = ({ shiftKey, ctrlKey, altKey }) => (shiftKey || ctrlKey ? (altKey ? "Y" : "R") : altKey ? "B" : "G");

/** A circle around `from`, or an arrow when `to` is another point. */
export const shapeOf = (color, from, to) => color + from + (to === from ? "" : to);

/** Whether a text is a shape. */
export const isShape = (text) => typeof text === "string" && /^[GRBY][a-i]\d([a-i]\d)?$/.test(text);

/** The shapes after one more was drawn: the same again takes it away, another colour replaces it. */
export function toggle(shapes, shape) {
  const rest = shapes.filter((other) => other.slice(1) !== shape.slice(1));
  return shapes.includes(shape) ? rest : [...rest, shape];
}

const POINT = "[GRBY][a-i]\\d";
/** The commands of PGN comments that draw: `[%csl Ge4,Rh2]` circles, `[%cal Gh2e2]` arrows. One with anything else in it stays a comment. */
const COMMAND = new RegExp(`\\[%(?:csl\\s+${POINT}(?:\\s*,\\s*${POINT})*|cal\\s+${POINT}[a-i]\\d(?:\\s*,\\s*${POINT}[a-i]\\d)*)\\s*\\] ?`, "g");

/** A comment of a record without the commands that draw, and what they draw. */
export function ofComment(text) {
  const shapes = [];
  const comment = text.replace(COMMAND, (command) => {
    shapes.push(...command.match(new RegExp(`${POINT}(?:[a-i]\\d)?`, "g")));
    return "";
  });
  return { comment: shapes.length ? comment.trimEnd() : text, shapes: [...new Set(shapes)] };
}

/** A comment with drawings as commands before it. */
export function inComment(comment, shapes) {
  const command = (name, found) => (found.length ? `[%${name} ${found.join(",")}]` : "");
  const [circles, arrows] = [shapes.filter((shape) => shape.length === 3), shapes.filter((shape) => shape.length > 3)];
  return [command("csl", circles), command("cal", arrows), comment].filter(Boolean).join(" ");
}
