// Steps through a game with the mouse wheel.

/** Scroll distance of one step, in pixels: a notch of a mouse wheel is 100 or more, a touchpad sends many small amounts. */
const STEP = 60;
const LINE = 40;
/** Milliseconds of inactivity after which the distance is reset. */
const REST = 250;

export class Wheel {
  constructor() {
    Object.assign(this, { turned: 0, last: 0 });
  }

  /** Returns 1 to step forward, -1 to step back, 0 for neither, and null if the event has another meaning, such as zoom. */
  take({ deltaX = 0, deltaY, deltaMode = 0, ctrlKey, timeStamp }) {
    if (ctrlKey || Math.abs(deltaX) > Math.abs(deltaY)) return null;
    const turn = deltaMode === 0 ? deltaY : deltaY * LINE;
    const isNew = timeStamp - this.last > REST || turn * this.turned < 0;
    this.last = timeStamp;
    this.turned = (isNew ? 0 : this.turned) + turn;
    if (Math.abs(this.turned) < STEP) return 0;
    const step = Math.sign(this.turned);
    // The rest of a notch must not cause a second step.
    this.turned = 0;
    return step;
  }
}
