// Nodes per second under Node, for .ci/web: `chuhe bench` with each build, three times in alternation, and with the native program if
// $NATIVE names one.

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

const file = (path) => readFileSync(new URL(`../${path}`, import.meta.url));
const builds = ["dist/wasm/chuhe-simd128", "plain/chuhe"];
const rounds = Number(process.env.ROUNDS ?? 3);

async function engine(build) {
  const wasm = await import(`../dist/wasm/module.js?${build}`);
  wasm.initSync({ module: new WebAssembly.Module(file(`${build}.wasm`)) });
  wasm.provide_network(file("dist/data/network.nnue"));
  wasm.provide_endgames(file("endgames/endgames.egts"));
  return wasm;
}

/** Nodes per second of processor time, which other load on the machine affects less than wall-clock time. */
function measure(wasm) {
  const before = process.cpuUsage();
  const { nodes } = JSON.parse(wasm.run_bench());
  const { user } = process.cpuUsage(before);
  return (nodes / user) * 1e6;
}

const engines = await Promise.all(builds.map(engine));
// Warm up: the JIT compiler runs concurrently with the first run.
engines.forEach(measure);
const native = process.env.NATIVE;
const speeds = Object.fromEntries([...builds, ...(native ? ["native"] : [])].map((build) => [build, []]));
for (let round = 0; round < rounds; round++) {
  builds.forEach((build, index) => speeds[build].push(measure(engines[index])));
  if (native) {
    const run = spawnSync("perf", ["stat", "-x,", "-e", "user_time", native, "bench"], { encoding: "utf8" });
    const nodes = Number(/^(\d+)/m.exec(run.stdout.trim().split("\n").at(-1))?.[1]);
    const user = Number(/^(\d+),ns,user_time/m.exec(run.stderr)?.[1]);
    speeds.native.push((nodes / user) * 1e9);
  }
}
for (const [build, found] of Object.entries(speeds)) {
  const best = Math.max(...found);
  const share = native && build !== "native" ? `, ${Math.round((100 * best) / Math.max(...speeds.native))} % of native` : "";
  console.log(`${build}: ${Math.round(best / 1000)} thousand nodes in a second of processor time, best of ${rounds}${share}`);
}
