// The two clocks. They run in the page; the server only finds moves.

export class Clocks {
  /** `onflag(side)` is called when a side has no time left; `onshow()` when the display changes; `onlow(side)` when ten seconds remain. */
  constructor({ onflag, onshow, onlow }) {
    Object.assign(this, { onflag, onshow, onlow, left: null, running: null });
  }

  /** Sets the clocks to `minutes`, with `increment` seconds per move; without `minutes` there is no clock. */
  set(minutes, increment) {
    this.stop();
    this.increment = (increment ?? 0) * 1000;
    this.left = minutes ? { red: minutes * 60000, black: minutes * 60000 } : null;
    this.onshow();
  }

  restore(kept) {
    this.stop();
    this.left = kept?.left ?? null;
    this.increment = kept?.increment ?? 0;
  }

  kept() {
    return this.left && { left: { red: this.now("red"), black: this.now("black") }, increment: this.increment };
  }

  now(side) {
    if (!this.left) return null;
    const used = this.running === side ? performance.now() - this.since : 0;
    return Math.max(0, this.left[side] - used);
  }

  run(side) {
    if (!this.left || this.running === side) return;
    this.stop();
    this.running = side;
    this.since = performance.now();
    this.isLow = this.left[side] < 10000;
    this.tick();
  }

  stop() {
    clearTimeout(this.timer);
    if (this.running && this.left) this.left[this.running] = this.now(this.running);
    this.running = null;
  }

  /** Adds the increment after a move. */
  press(side) {
    if (!this.left) return;
    this.stop();
    this.left[side] += this.increment;
    this.onshow();
  }

  tick() {
    const left = this.now(this.running);
    this.onshow();
    if (left <= 0) {
      const side = this.running;
      this.stop();
      return this.onflag(side);
    }
    if (left < 10000 && !this.isLow) this.onlow(this.running);
    this.isLow = left < 10000;
    // Until the next displayed second, or tenth of a second near the end.
    this.timer = setTimeout(() => this.tick(), left < 10000 ? 100 : (left % 1000) + 20);
  }

  text(side) {
    const left = this.now(side);
    if (left === null) return "";
    const seconds = Math.ceil(left / 1000);
    // Rounded down: 9.98 seconds are not 10.0.
    if (left < 10000) return `0:0${(Math.floor(left / 100) / 10).toFixed(1)}`;
    return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  }
}
