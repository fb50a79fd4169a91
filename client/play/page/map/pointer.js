// The mouse on the map: the wheel zooms, or with Shift takes another weapon, a drag moves it, a click uses what one has in hand.

const DRAG_FROM = 4;                                     // pixels
const WHEEL = 0.0016;                                    // of the zoom's logarithm, for a pixel of the wheel

/** bindPointer(canvas, { zoom, arm, pan, point, armed, press, release, click }): armed() says that the left button shoots. */
export function bindPointer(canvas, actions) {
  let drag = null;                                       // { x, y, moved, button }

  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    if (event.shiftKey) {                                // some browsers turn the wheel sideways then
      actions.arm(Math.sign(event.deltaX + event.deltaY));
      return;
    }
    const pixels = event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1);
    actions.zoom(event.clientX, event.clientY, Math.exp(-pixels * WHEEL));
  }, { passive: false });
  canvas.addEventListener("contextmenu", (event) => event.preventDefault());

  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    actions.point(event.clientX, event.clientY);
    if (event.button === 0 && actions.armed()) actions.press();
    else drag = { x: event.clientX, y: event.clientY, moved: false, button: event.button };
  });
  canvas.addEventListener("pointermove", (event) => {
    actions.point(event.clientX, event.clientY);
    if (!drag) return;
    const dx = event.clientX - drag.x, dy = event.clientY - drag.y;
    if (!drag.moved && Math.hypot(dx, dy) < DRAG_FROM) return;
    Object.assign(drag, { x: event.clientX, y: event.clientY, moved: true });
    canvas.classList.add("dragged");
    actions.pan(dx, dy);
  });
  const end = () => {
    canvas.classList.remove("dragged");
    actions.release();
    drag = null;
  };
  canvas.addEventListener("pointerup", () => {
    if (drag && !drag.moved && drag.button === 0) actions.click();
    end();
  });
  canvas.addEventListener("pointercancel", end);
  canvas.addEventListener("pointerleave", () => actions.point(null));
}
