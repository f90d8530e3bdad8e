// The sounds of the board, which are synthesized, so that no files need to be loaded.

import { afterFrame } from "./dom.js";
import { preferences } from "./store.js";

let context = null;
/** Number of sounds playing or about to play. */
let playing = 0;

/** A knock on wood: a short burst of noise through a narrow band-pass filter. */
function knock(at, pitch, loudness) {
  const length = Math.round(context.sampleRate * 0.06);
  const buffer = context.createBuffer(1, length, context.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let i = 0; i < length; i++) samples[i] = (Math.random() * 2 - 1) * Math.exp(-i / (length / 7));
  const source = new AudioBufferSourceNode(context, { buffer });
  const filter = new BiquadFilterNode(context, { type: "bandpass", frequency: pitch, Q: 2.5 });
  begin(source, [filter, new GainNode(context, { gain: loudness })], at, 0.06);
}

/** A fading tone. */
function tone(at, frequency, seconds, loudness) {
  const gain = new GainNode(context, { gain: 0 });
  gain.gain.setValueAtTime(0, at);
  gain.gain.linearRampToValueAtTime(loudness, at + 0.012);
  gain.gain.exponentialRampToValueAtTime(0.001, at + seconds);
  begin(new OscillatorNode(context, { type: "triangle", frequency }), [gain], at, seconds);
}

function begin(source, chain, at, seconds) {
  [source, ...chain, context.destination].reduce((from, to) => from.connect(to));
  playing += 1;
  source.onended = rest;
  source.start(at);
  source.stop(at + seconds);
}

/** Called when a sound ends. A running context uses processor time even without a sound, so it is suspended after the last one. */
function rest() {
  playing -= 1;
  if (!playing) context.suspend();
}

const SOUNDS = {
  move: (at) => knock(at, 900, 1.4),
  capture(at) {
    knock(at, 620, 1.8);
    knock(at + 0.045, 1300, 0.9);
  },
  check(at) {
    knock(at, 900, 1.2);
    tone(at + 0.03, 740, 0.22, 0.12);
  },
  end: (at) => [392, 523, 659].forEach((frequency, index) => tone(at + index * 0.11, frequency, 0.5, 0.12)),
  low: (at) => tone(at, 988, 0.12, 0.1),
};

/** Opens the audio device when the page is idle after the first click or key press; it can take many frames, too long for the first move. */
export function prepareSound() {
  const open = () => {
    if (context || !preferences.sounds || !globalThis.AudioContext) return;
    try {
      context = new AudioContext();
      context.suspend();
    } catch {
      // There is no audio device.
    }
  };
  for (const event of ["pointerdown", "keydown"]) addEventListener(event, () => (globalThis.requestIdleCallback ?? setTimeout)(open), { once: true, capture: true });
}

/** Plays `move`, `capture`, `check`, `end` or `low`, unless sounds are off. Browsers allow it only after the first user interaction. */
export async function sound(name) {
  if (!preferences.sounds || !globalThis.AudioContext || navigator.userActivation?.hasBeenActive === false) return;
  await afterFrame();
  try {
    context ??= new AudioContext();
  } catch {
    // There is no audio device.
    return;
  }
  playing += 1;
  try {
    await context.resume();
    SOUNDS[name](context.currentTime + 0.005);
  } finally {
    rest();
  }
}
