// The mouse wheel as steps through a game.

/** How far a wheel turns for one step, in pixels: a notch of a mouse has 100 or more, fingers on a pad send many small pieces. */
const STEP = 60;
const LINE = 40;
/** Milliseconds of rest after which a new turn begins. */
const REST = 250;

export class Wheel {
  constructor() {
    Object.assign(this, { turned: 0, last: 0 });
  }

  /** 1 to step forward, -1 to step back, 0 for neither; null when the event means something else, such as zoom. */
  take({ deltaX = 0, deltaY, deltaMode = 0, ctrlKey, timeStamp }) {
    if (ctrlKey || Math.abs(deltaX) > Math.abs(deltaY)) return null;
    const turn = deltaMode === 0 ? deltaY : deltaY * LINE;
    const isNew = timeStamp - this.last > REST || turn * this.turned < 0;
    this.last = timeStamp;
    this.turned = (isNew ? 0 : this.turned) + turn;
    if (Math.abs(this.turned) < STEP) return 0;
    const step = Math.sign(this.turned);
    // What is left over of a notch makes no second step.
    this.turned = 0;
    return step;
  }
}
