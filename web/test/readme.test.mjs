// Runs the examples of the README unchanged.

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import assert from "node:assert/strict";
import test from "node:test";
import { fileURLToPath } from "node:url";

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
const examples = [...readme.matchAll(/^```js\n([\s\S]*?)^```$/gm)].map((found) => found[1]);

test("the README has four examples", () => assert.equal(examples.length, 4));

for (const [index, example] of examples.entries()) {
  test(`example ${index + 1} of the README`, () => {
    const cwd = fileURLToPath(new URL("..", import.meta.url));
    const run = spawnSync(process.execPath, ["--input-type=module", "--eval", example], { cwd, encoding: "utf8" });
    assert.equal(run.status, 0, run.stderr);
    assert.equal(run.stderr, "");
    assert.notEqual(run.stdout, "");
  });
}
