let pressed = false;
let waiting: (() => void)[] = [];

function released(): void {
  pressed = false;
  // After the click that belongs to the release.
  window.setTimeout(() => {
    const due = waiting;
    waiting = [];
    for (const run of due) run();
  });
}

window.addEventListener('pointerdown', () => (pressed = true), true);
window.addEventListener('pointerup', released, true);
window.addEventListener('pointercancel', released, true);
// Not in the capturing phase: there it would hear of every control that loses the keyboard.
window.addEventListener('blur', released);

/**
 * Runs now, or once the pointer is released: what moves the page under a pressed pointer would
 * have the release land elsewhere, and the press would be lost.
 */
export function afterPress(run: () => void): void {
  if (pressed) waiting.push(run);
  else run();
}
